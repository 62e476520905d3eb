package dev.unseen.cli;

/**
 * Counts what a run has seen so far.
 *
 * @param fresh records let through
 * @param duplicates records taken for duplicates
 * @param withoutKey records that had no key; those that were let through are among the fresh
 * @param bytes taken in, after decompression
 */
record RunCounts(long fresh, long duplicates, long withoutKey, long bytes) {
  static final RunCounts NONE = new RunCounts(0, 0, 0, 0);

  /** Returns the sum of these counts and those of a batch. */
  RunCounts plus(Verdicts batch, long batchBytes) {
    return new RunCounts(
        fresh + batch.freshCount(),
        duplicates + batch.duplicateCount(),
        withoutKey + batch.withoutKey(),
        bytes + batchBytes);
  }

  /** Returns the number of records decided on. */
  long records() {
    return fresh + duplicates;
  }
}
