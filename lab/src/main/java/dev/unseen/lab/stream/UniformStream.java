package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.text.Require;

/**
 * A stream of uniform draws from a universe of keys, which the paper's theory assumes.
 *
 * @param keySpace the number of keys in the universe
 */
public record UniformStream(long records, long keySpace, long seed) implements SyntheticStream {
  /** Checks the number of keys. */
  public UniformStream {
    Require.that(keySpace >= 1, "universe", keySpace, "at least 1");
    seed = Mix.mix(seed);
  }

  /** Returns the stream whose expected number of distinct keys is {@code distinct}. */
  public static UniformStream withDistinct(long records, long distinct, long seed) {
    Require.that(
        distinct >= 1 && distinct < records,
        "distinct",
        distinct,
        "1 to %d, below the records".formatted(records - 1));
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
  public long key(long i) {
    return Mix.reduce(Mix.mix(seed + (i + 1) * Mix.GOLDEN), keySpace);
  }
}
