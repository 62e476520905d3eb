package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;

/** A stream of uniform draws from a universe of keys, which the paper's theory assumes. */
public final class UniformStream implements SyntheticStream {
  private final long records;
  private final long universe;
  private final long seed;

  /** Creates a stream of this number of draws from this number of keys. */
  public UniformStream(long records, long universe, long seed) {
    if (universe < 1) {
      throw new IllegalArgumentException("universe (%d) must be at least 1".formatted(universe));
    }
    this.records = records;
    this.universe = universe;
    this.seed = Mix.mix(seed);
  }

  /** Returns the stream whose expected number of distinct keys is {@code distinct}. */
  public static UniformStream withDistinct(long records, long distinct, long seed) {
    if (distinct < 1 || distinct >= records) {
      throw new IllegalArgumentException(
          "distinct (%d) must be 1 to %d, below the records".formatted(distinct, records - 1));
    }
    // U (1 - e^(-N/U)) grows with U from 0 to N.
    double low = distinct;
    double high = (double) records * records;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (-middle * Math.expm1(-records / middle) < distinct) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new UniformStream(records, Math.round(high), seed);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return universe;
  }

  @Override
  public long key(long i) {
    return Mix.reduce(Mix.mix(seed + (i + 1) * Mix.GOLDEN), universe);
  }
}
