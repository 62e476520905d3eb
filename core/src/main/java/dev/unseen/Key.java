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
  /** Returns the hash of a record's key. */
  long hash(T record, Hash64 hash);

  /**
   * Returns what a saved state remembers of the keys, so that it refuses others. A lambda is
   * unknown and is never refused; {@link Keys#named} gives it a name.
   */
  default KeyForm form() {
    return KeyForm.UNKNOWN;
  }
}
