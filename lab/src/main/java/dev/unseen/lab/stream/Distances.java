package dev.unseen.lab.stream;

import dev.unseen.bits.SplitMix64;
import dev.unseen.text.Require;

/** The distribution of distances back to a repeated record: 1, 2, 3 and so on. */
@FunctionalInterface
public interface Distances {
  /** Draws a distance. */
  long draw(SplitMix64 random);

  /** Returns distances that are uniform over the last {@code window} records. */
  static Distances within(long window) {
    Require.that(window >= 1, "window", window, "at least 1");
    return random -> 1 + random.below(window);
  }

  /**
   * Returns geometric distances: half of the repeats lie within the last {@code halfLife} records.
   */
  static Distances halfLife(double halfLife) {
    Require.that(halfLife > 0, "half-life", halfLife, "above 0");
    double scale = halfLife / Math.log(2);
    return random -> 1 + (long) (-scale * Math.log(unit(random)));
  }

  /** Returns a uniform number above 0 and at most 1. */
  private static double unit(SplitMix64 random) {
    return ((random.next() >>> 11) + 1) * 0x1p-53;
  }
}
