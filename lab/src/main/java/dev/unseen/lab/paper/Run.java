package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.lab.stream.ShuffledStream;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.stream.UniformStream;

/**
 * One stream through one filter: the unit of work. Several cells of the tables may be the same run.
 *
 * @param shuffled the paper's data set; else uniform draws, which the paper's text claims
 */
record Run(long records, long distinct, boolean shuffled, long streamSeed, FilterSpec spec) {

  /** The run of a cell, at one {@code scale}-th of its size, bits per key unchanged. */
  static Run of(PublishedCell cell, Reading reading, int scale, long seed) {
    long memory = ((long) cell.memoryMb() << 20) / scale;
    return of(cell, true, reading.spec(cell, memory, seed), scale, seed);
  }

  /** The same with uniform draws. */
  static Run uniform(PublishedCell cell, int scale, long seed) {
    Run run = of(cell, Reading.AS_PUBLISHED, scale, seed);
    return new Run(run.records, run.distinct, false, run.streamSeed, run.spec);
  }

  /** The same stream through a plain Bloom filter of the same memory, with its best k. */
  static Run bloom(PublishedCell cell, int scale, long seed) {
    long memory = ((long) cell.memoryMb() << 20) / scale;
    long keys = cell.records() / scale * cell.distinctPercent() / 100;
    FilterSpec spec =
        FilterSpec.builder(FilterKind.BLOOM, memory).expectedKeys(keys).seed(seed).build();
    return of(cell, true, spec, scale, seed);
  }

  private static Run of(
      PublishedCell cell, boolean shuffled, FilterSpec spec, int scale, long seed) {
    long records = cell.records() / scale;
    return new Run(records, records * cell.distinctPercent() / 100, shuffled, seed, spec);
  }

  /** Whether both run on the same stream, with the same hash of its keys. */
  boolean sharesStreamWith(Run other) {
    return records == other.records
        && distinct == other.distinct
        && shuffled == other.shuffled
        && streamSeed == other.streamSeed
        && spec.seed() == other.spec.seed();
  }

  SyntheticStream stream() {
    return shuffled
        ? new ShuffledStream(records, distinct, streamSeed)
        : UniformStream.withDistinct(records, distinct, streamSeed);
  }

  /** What the run is, in one line: equal for equal runs, and for no others. */
  String id() {
    return "%s records=%d distinct=%d seed=%d %s"
        .formatted(shuffled ? "shuffled" : "uniform", records, distinct, streamSeed, filter());
  }

  /**
   * As it is in the logs of finished runs: what the kinds of the paper have, whatever else specs
   * have.
   */
  private String filter() {
    return "FilterSpec[kind=%s, memoryBytes=%d, hashes=%d, seed=%d, cellBits=%d, decrements=%d, threshold=%s, partitioned=%s, resetReach=%s]"
        .formatted(
            spec.kind().name(),
            spec.memoryBytes(),
            spec.hashes(),
            spec.seed(),
            spec.cellBits(),
            spec.decrements(),
            spec.threshold(),
            spec.partitioned(),
            spec.resetReach());
  }
}
