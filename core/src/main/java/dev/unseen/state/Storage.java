package dev.unseen.state;

/**
 * The 64-bit words of a part of a state, in arrays of at most 2^26 words each. Saving reads these
 * arrays and loading writes them, without a copy.
 */
public interface Storage {
  /** Returns the number of words. */
  long length();

  /**
   * Allocates the array that contains the word at an index, if it is not allocated yet.
   *
   * @throws IllegalArgumentException if there is not enough memory
   */
  void allocate(long index);

  /**
   * Returns the array that contains the word at an index, and the words after it up to the end of
   * the array.
   */
  long[] chunk(long index);

  /** Returns the index within its array of the word at an index. */
  int offset(long index);
}
