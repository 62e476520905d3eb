package dev.unseen.state;

/**
 * Sees all words of a storage as they are read, from the first to the last, and refuses what the
 * owner of the storage could never have written. Whoever reads a state that others can change needs
 * it: checksums only tell that the bytes are those that somebody wrote.
 *
 * <p>It keeps no more than a few numbers, so that a state can be checked that no memory could hold.
 */
public interface StorageCheck {
  /**
   * Looks at the next words.
   *
   * @param index of the first of them in the storage
   * @param words an array that holds them
   * @param from where in the array they begin
   * @param count how many there are
   * @throws IllegalArgumentException if they cannot be
   */
  void take(long index, long[] words, int from, int count);

  /**
   * Compares what all words say together with the numbers that were read before them.
   *
   * @throws IllegalArgumentException if that cannot be
   */
  default void end() {}

  /** Refuses a value that is not within its limits. */
  static void requireBetween(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s (%d) must be %d to %d".formatted(name, value, least, most));
    }
  }

  /** Refuses a kept count that is not what its storage has. */
  static void requireCount(String name, long kept, long found) {
    if (kept != found) {
      throw new IllegalArgumentException(
          "%s (%d) must be as many as the storage has, %d".formatted(name, kept, found));
    }
  }
}
