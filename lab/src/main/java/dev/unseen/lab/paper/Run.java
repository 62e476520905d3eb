package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;

/**
 * One run of a stream through a filter. Several cells of the tables may need the same run.
 *
 * @param shuffled whether the stream is the paper's data set; otherwise it is uniform draws, as the
 *     paper's text claims
 */
record Run(long records, long distinct, boolean shuffled, long streamSeed, PaperFilter filter) {

  /** Returns the run of a cell, at one {@code scale}-th of its size, with the same bits per key. */
  static Run of(PublishedCell cell, Reading reading, int scale, long seed) {
    long memory = ((long) cell.memoryMb() << 20) / scale;
    return of(cell, true, reading.filter(cell, memory, seed), scale, seed);
  }

  static Run uniform(PublishedCell cell, int scale, long seed) {
    Run run = of(cell, Reading.AS_PUBLISHED, scale, seed);
    return new Run(run.records, run.distinct, false, run.streamSeed, run.filter);
  }

  /**
   * Returns a run of the same stream through a plain Bloom filter of the same memory, with its best
   * k.
   */
  static Run bloom(PublishedCell cell, int scale, long seed) {
    long memory = ((long) cell.memoryMb() << 20) / scale;
    long keys = cell.records() / scale * cell.distinctPercent() / 100;
    FilterSpec spec =
        FilterSpec.builder(FilterKind.BLOOM, memory).expectedKeys(keys).seed(seed).build();
    return of(cell, true, PaperFilter.of(spec), scale, seed);
  }

  private static Run of(
      PublishedCell cell, boolean shuffled, PaperFilter filter, int scale, long seed) {
    long records = cell.records() / scale;
    return new Run(records, records * cell.distinctPercent() / 100, shuffled, seed, filter);
  }

  /** Returns whether both run on the same stream, with the same hash of its keys. */
  boolean sharesStreamWith(Run other) {
    return records == other.records
        && distinct == other.distinct
        && shuffled == other.shuffled
        && streamSeed == other.streamSeed
        && spec().seed() == other.spec().seed();
  }

  FilterSpec spec() {
    return filter.spec();
  }

  SyntheticStream stream() {
    return shuffled
        ? Streams.shuffled(records, distinct, streamSeed)
        : Streams.uniformWithDistinct(records, distinct, streamSeed);
  }

  /** Returns a description in one line, which is equal for equal runs only. */
  String id() {
    return "%s records=%d distinct=%d seed=%d %s"
        .formatted(shuffled ? "shuffled" : "uniform", records, distinct, streamSeed, filter.id());
  }
}
