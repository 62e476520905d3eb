package dev.unseen.filter.engine;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.recency.LineForm;
import dev.unseen.text.Require;

/** Derives the memory of a filter from the number of keys that it must hold. */
public final class Capacity {
  /** The largest number of keys that a size is derived from; no memory would hold more. */
  private static final long MAX_KEYS = 1L << 45;

  /**
   * The number of lanes of a line of RECENCY that must stay free on average, so that at most one
   * key in 20,000 finds both of its lines full. With two lines per key it hardly depends on the
   * number of lanes, or of lines.
   */
  private static final double FREE_LANES = 3.3;

  /** The same if keys are kept for late records, too, which fill the lanes that are free. */
  private static final double FREE_LANES_WITH_LATENESS = 4;

  private Capacity() {}

  /**
   * Returns the memory in bytes that a filter needs to hold this number of keys at one time. With
   * it, RECENCY evicts at most one in 20,000 of them early, in a steady stream, and BLOOM has at
   * most this false positive rate.
   *
   * @param window the window of RECENCY, which takes some of the room
   * @throws IllegalArgumentException if filters of this kind forget at random, so that no memory is
   *     enough
   */
  public static long memoryFor(FilterKind kind, long keys, double maxFpr, Window window) {
    Require.that(keys >= 1, "keys", keys, "at least 1");
    Require.that(keys <= MAX_KEYS, "keys", keys, "at most " + MAX_KEYS);
    return switch (kind) {
      case BLOOM -> ofBloom(keys, maxFpr);
      case RECENCY -> ofLines(keys, maxFpr, window);
      default ->
          throw new IllegalArgumentException(
              "memory must be set for %s, because it cannot be derived from a number of keys; it can for recency and bloom"
                  .formatted(kind.id()));
    };
  }

  private static long ofBloom(long keys, double maxFpr) {
    double perKey = Math.log(1 / maxFpr) / (Math.log(2) * Math.log(2));
    long words = Math.max(1, (long) Math.ceil(perKey * keys / Long.SIZE));
    while (bloomFpr(words * Long.SIZE, keys) > maxFpr) {
      words += 1 + words / 256; // k is a whole number, so the formula gives slightly too little
    }
    return Math.max(FilterSpec.MIN_MEMORY_BYTES, words * Long.BYTES);
  }

  private static double bloomFpr(long bits, long keys) {
    long best = Math.round(Math.log(2) * bits / keys);
    long k = Math.max(1, Math.min(FilterKind.BLOOM.maxHashes(), best));
    long positions = bits / k;
    return Math.pow(-Math.expm1(-(double) keys / positions), (double) k);
  }

  /** It was measured for all rates and windows (SteadyCapacityTest). */
  private static long ofLines(long keys, double maxFpr, Window window) {
    FilterSpec one =
        FilterSpec.builder(FilterKind.RECENCY, FilterSpec.MIN_MEMORY_BYTES)
            .maxFpr(maxFpr)
            .window(window)
            .build();
    double free = window.lateness() > 0 ? FREE_LANES_WITH_LATENESS : FREE_LANES;
    double perLine = LineForm.of(one).fullLanes() - free;
    return Math.max(1, (long) Math.ceil(keys / perLine)) * Lanes.WORDS * Long.BYTES;
  }
}
