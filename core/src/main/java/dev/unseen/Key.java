package dev.unseen;

import dev.unseen.hash.Hash64;

/**
 * Defines which records are duplicates of each other: records with equal keys are. {@link Keys} has
 * the usual keys; a lambda can define any other: {@code (click, hash) -> hash.hash(click.id())}.
 *
 * @param <T> the type of the records
 */
@FunctionalInterface
public interface Key<T> {
  /** Returns the hash of a record's key. */
  long hash(T record, Hash64 hash);

  /**
   * Returns the form of the keys, which states contain and compare. That of a lambda is unknown;
   * {@link Keys#named} gives it a name.
   */
  default KeyForm form() {
    return KeyForm.UNKNOWN;
  }
}
