package dev.unseen.state;

/**
 * The 64-bit words of a part of a state, in arrays of at most 2^26 words each. Saving reads these
 * arrays and loading writes them, without a copy.
 */
public interface Storage {
  long length();

  /** Allocates the array that contains the word at an index, if it is not allocated yet. */
  void allocate(long index);

  /** Returns the array that contains the word at an index, and the words after it. */
  long[] chunk(long index);

  int offset(long index);
}
