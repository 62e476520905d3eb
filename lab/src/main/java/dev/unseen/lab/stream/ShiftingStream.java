package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;

/**
 * Working sets that shift: for a while, records are uniform draws from one set of keys, then from
 * the next, which shares half of its keys with the one before.
 */
public final class ShiftingStream implements SyntheticStream {
  private final long records;
  private final long keys;
  private final long sets;
  private final long seed;

  /**
   * Creates a stream of this number of records, with this number of keys in this number of sets.
   */
  public ShiftingStream(long records, long keys, long sets, long seed) {
    Limits.keys(keys, records, "the records");
    if (sets < 1 || sets >= keys) {
      throw new IllegalArgumentException(
          "sets (%d) must be at least 1 and below the keys (%d)".formatted(sets, keys));
    }
    this.records = records;
    this.keys = keys;
    this.sets = sets;
    this.seed = Mix.mix(seed);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return keys;
  }

  @Override
  public long key(long i) {
    long set = (long) ((double) i / records * sets);
    long from = edge(set);
    return from + Mix.reduce(Mix.mix(seed + (i + 1) * Mix.GOLDEN), edge(set + 2) - from);
  }

  /**
   * Returns the first key of a set, which is also the end of the set before the last: halves of
   * sets lie side by side.
   */
  private long edge(long half) {
    return (long) ((double) keys * half / (sets + 1));
  }
}
