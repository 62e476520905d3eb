package dev.unseen.bench;

/** A structure whose speed is measured: it distinguishes new keys from seen ones. */
interface SpeedContestant {
  /** Checks a key and remembers it. Returns whether it is treated as new. */
  boolean add(long key);

  /** The largest number of keys in a call of {@link #addAll}. */
  int BATCH = 1024;

  /** The number of bytes of a key that is not a number. */
  int STRING = 32;

  /**
   * Checks keys and remembers them, in the way that is measured. Returns how many are treated as
   * new.
   */
  default int addAll(long[] keys, int from, int to) {
    int fresh = 0;
    for (int i = from; i < to; i++) {
      if (add(keys[i])) {
        fresh++;
      }
    }
    return fresh;
  }

  /**
   * Checks the keys {@code from..to-1} of {@link #STRING} bytes each, and remembers them. Only our
   * filters and the limit support it: strings differ from numbers in the hash alone.
   */
  default int addStrings(byte[] keys, int from, int to) {
    throw new UnsupportedOperationException("only ours and the limit are measured with strings");
  }

  /** Returns its memory in bytes, by its own account. */
  long memoryBytes();

  /** Returns the share of its memory in use, or NaN if that has no meaning. */
  double load();

  /**
   * Returns the average number of cache lines of its memory that a record touches, which determines
   * its limit.
   *
   * @param admitted the share of the records that are treated as new
   */
  default double lines(double admitted) {
    return 1;
  }
}
