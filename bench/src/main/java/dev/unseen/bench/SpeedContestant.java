package dev.unseen.bench;

/** Something that tells new keys from seen ones, to be measured. */
interface SpeedContestant {
  /** Takes a key in; whether it is taken for new. */
  boolean add(long key);

  /** The keys given to {@link #addAll} at once, at most. */
  int BATCH = 1024;

  /** The bytes of a key that is not a number. */
  int STRING = 32;

  /** Takes keys in, in the way that is measured; how many are taken for new. */
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
   * Takes in the keys {@code from..to-1} of {@link #STRING} bytes each. Ours and the limit only:
   * they differ from numbers in the hash alone.
   */
  default int addStrings(byte[] keys, int from, int to) {
    throw new UnsupportedOperationException("only ours and the limit are measured with strings");
  }

  /** The bytes it was given, by its own account. */
  long memoryBytes();

  /** The share of its memory in use, or NaN if that has no meaning. */
  double load();

  /**
   * The cache lines of its memory that a record touches on average, which say what limit it has.
   *
   * @param admitted the share of the records that are taken for new
   */
  default double lines(double admitted) {
    return 1;
  }
}
