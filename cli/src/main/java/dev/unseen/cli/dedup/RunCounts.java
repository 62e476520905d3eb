package dev.unseen.cli.dedup;

/**
 * Counts what a run has seen so far.
 *
 * @param fresh records let through
 * @param duplicates records that count as duplicates
 * @param unchecked records among the fresh that were let through without asking the filter: empty
 *     lines, and what {@code --on-error pass} lets through
 * @param skipped records that {@code --on-error skip} left out
 * @param skippedLines the lines of these records
 * @param skippedBytes the bytes of these records
 * @param nullKeys records whose key is missing, null or empty, whatever became of them
 * @param bytes taken in, after decompression
 * @param late records that could not be checked because of their time
 */
record RunCounts(
    long fresh,
    long duplicates,
    long unchecked,
    long skipped,
    long skippedLines,
    long skippedBytes,
    long nullKeys,
    long bytes,
    LateCounts late) {
  static final RunCounts NONE = new RunCounts(0, 0, 0, 0, 0, 0, 0, 0, LateCounts.NONE);

  /** Returns the sum of these counts and others. */
  RunCounts plus(RunCounts more) {
    return new RunCounts(
        fresh + more.fresh,
        duplicates + more.duplicates,
        unchecked + more.unchecked,
        skipped + more.skipped,
        skippedLines + more.skippedLines,
        skippedBytes + more.skippedBytes,
        nullKeys + more.nullKeys,
        bytes + more.bytes,
        late.plus(more.late));
  }

  /** Returns the number of records decided on. */
  long records() {
    return fresh + duplicates;
  }
}
