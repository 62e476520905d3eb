package dev.unseen;

import dev.unseen.hash.Hash64;

/**
 * What makes two records duplicates of each other: equal records of the stream have equal keys.
 * {@link Keys} has the usual ones; a lambda can be any other: {@code (click, hash) ->
 * hash.hash(click.id())}.
 *
 * @param <T> the records
 */
@FunctionalInterface
public interface Key<T> {
  /** The hash of a record's key. */
  long hash(T record, Hash64 hash);
}
