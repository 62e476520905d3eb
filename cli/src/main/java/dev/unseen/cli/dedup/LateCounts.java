package dev.unseen.cli.dedup;

/**
 * Counts records that could not be checked because of their time.
 *
 * @param tooLate records that were too late to be checked
 * @param mostMillis by how many milliseconds the latest of them was late
 * @param dropped records that were left out, because they were too late or too far in the future
 */
record LateCounts(long tooLate, long mostMillis, long dropped) {
  static final LateCounts NONE = new LateCounts(0, 0, 0);

  /** Returns the sum of these counts and others. */
  LateCounts plus(LateCounts more) {
    return more.equals(NONE)
        ? this
        : new LateCounts(
            tooLate + more.tooLate, Math.max(mostMillis, more.mostMillis), dropped + more.dropped);
  }
}
