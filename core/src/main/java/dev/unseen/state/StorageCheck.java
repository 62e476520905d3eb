package dev.unseen.state;

/**
 * Checks all words of a storage as they are read, from the first to the last, and rejects words
 * that the owner of the storage could never have written. It protects against forged states: a
 * checksum detects damage, but anyone who changes a state can compute a new checksum.
 *
 * <p>A check keeps only a few numbers, so that it can check a state that is larger than the memory.
 */
public interface StorageCheck {
  /**
   * Checks the next words of an array, from an index of the storage on, and fails if they are
   * impossible.
   */
  void take(long index, long[] words, int from, int count);

  /** Compares all words with the numbers that were read before them. */
  default void end() {}

  /** Rejects a value that is not within its limits. */
  static void requireBetween(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s (%d) must be %d to %d".formatted(name, value, least, most));
    }
  }

  /** Rejects a saved count that differs from the count found in the storage. */
  static void requireCount(String name, long kept, long found) {
    if (kept != found) {
      throw new IllegalArgumentException(
          "%s (%d) must equal the number in the storage, %d".formatted(name, kept, found));
    }
  }
}
