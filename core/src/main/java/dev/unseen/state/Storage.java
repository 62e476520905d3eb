package dev.unseen.state;

/**
 * The 64-bit words of a part of a state, in arrays of at most 2^26 words each: what is saved is
 * read from there, and what is loaded is written there, without a copy.
 */
public interface Storage {
  /** Returns the number of words. */
  long length();

  /**
   * Takes memory for the array that holds the word at an index, if it has none yet.
   *
   * @throws IllegalArgumentException if there is not enough
   */
  void allocate(long index);

  /**
   * Returns the array that holds the word at an index, and those after it up to the array's end.
   */
  long[] chunk(long index);

  /** Returns where in its array the word at an index is. */
  int offset(long index);
}
