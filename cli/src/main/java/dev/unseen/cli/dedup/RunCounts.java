package dev.unseen.cli.dedup;

/** Counts what a batch, or a run so far, has seen. */
final class RunCounts {
  long fresh; // records let through
  long duplicates; // records that count as duplicates
  long unchecked; // among the fresh: empty lines, and what --on-error pass lets through
  long skipped; // records that --on-error skip left out
  long skippedLines; // the lines of these records
  long skippedBytes; // the bytes of these records
  long nullKeys; // records whose key is missing, null or empty, whatever became of them
  long bytes; // read, after decompression
  long tooLate; // records that were too late to be checked
  long mostLateMillis; // by how many milliseconds the latest of these was late
  long lateDropped; // records left out that were too late, or too far in the future

  void add(RunCounts batch) {
    fresh += batch.fresh;
    duplicates += batch.duplicates;
    unchecked += batch.unchecked;
    skipped += batch.skipped;
    skippedLines += batch.skippedLines;
    skippedBytes += batch.skippedBytes;
    nullKeys += batch.nullKeys;
    bytes += batch.bytes;
    tooLate += batch.tooLate;
    mostLateMillis = Math.max(mostLateMillis, batch.mostLateMillis);
    lateDropped += batch.lateDropped;
  }

  /** Returns the number of records decided on. */
  long records() {
    return fresh + duplicates;
  }
}
