package dev.unseen.bench;

/** A structure whose speed is measured: it distinguishes new keys from seen ones. */
interface SpeedContestant {
  /** The largest number of keys in a call of {@link #addAll}. */
  int BATCH = 1024;

  /** Checks the keys {@code from..to-1} and remembers them. Returns how many it treats as new. */
  int addAll(KeyBlock keys, int from, int to);

  /** Returns its memory in bytes, by its own account. */
  long memoryBytes();

  /** Returns the share of its memory in use, or NaN if that has no meaning. */
  default double load() {
    return Double.NaN;
  }

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
