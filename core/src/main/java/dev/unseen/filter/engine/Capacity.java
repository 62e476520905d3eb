package dev.unseen.filter.engine;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.recency.LineForm;
import dev.unseen.text.Require;
import java.util.OptionalLong;

/** Derives the memory of a filter from the number of keys that it must hold. */
public final class Capacity {
  /** The largest number of keys that a size is derived from; no memory would hold more. */
  private static final long MAX_KEYS = 1L << 45;

  private static final long LINE_BYTES = (long) Lanes.WORDS * Long.BYTES;

  /**
   * The lanes of a line that must stay free on average, of any number, so that one key in 20,000
   * finds both of its lines full.
   */
  private static final double FREE_LANES = 2.75;

  /** The same with a window: lines that expired keys have left fill less evenly. */
  private static final double FREE_LANES_WITH_WINDOW = 3.3;

  /** The same if keys are kept for late records, too, which fill the lanes that are free. */
  private static final double FREE_LANES_WITH_LATENESS = 4;

  /** A shard has room for this number of standard deviations more than its share. */
  private static final double DEVIATIONS = 4.5;

  private Capacity() {}

  /**
   * Returns the bytes that a filter, in this number of shards, needs for this number of keys at one
   * time: RECENCY then evicts at most one in 20,000 of them early, in a steady stream, and BLOOM
   * has at most this false positive rate.
   *
   * @throws IllegalArgumentException if filters of this kind forget at random
   */
  public static long memoryFor(
      FilterKind kind, long keys, double maxFpr, Window window, int shards) {
    Require.that(keys >= 1, "keys", keys, "at least 1");
    Require.that(keys <= MAX_KEYS, "keys", keys, "at most " + MAX_KEYS);
    return switch (kind) {
      case BLOOM -> ofBloom(keys, maxFpr);
      case RECENCY -> ofLines(keys, maxFpr, window, shards);
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

  /**
   * Returns the number of keys that RECENCY, in this number of shards, holds at one time: with as
   * many, it evicts at most one in 20,000 early, in a steady stream. Empty for the other kinds.
   */
  public static OptionalLong keysThatFit(FilterSpec spec, int shards) {
    if (spec.kind() != FilterKind.RECENCY) {
      return OptionalLong.empty();
    }
    int lanes = LineForm.of(spec).fullLanes();
    long whole = spec.memoryBytes() / shards / LINE_BYTES;
    double lines = whole == 1 ? 1 : whole & -2;
    double share = lines * (lanes - freeLanes(spec.window()));
    if (shards > 1) {
      double root = (Math.sqrt(DEVIATIONS * DEVIATIONS + 4 * lines * lanes) - DEVIATIONS) / 2;
      share = Math.min(share, root * root);
    }
    return OptionalLong.of((long) (share * shards));
  }

  /** Returns the capacity of lines, as measured for all rates and windows (SteadyCapacityTest). */
  private static long ofLines(long keys, double maxFpr, Window window, int shards) {
    FilterSpec one =
        FilterSpec.builder(FilterKind.RECENCY, FilterSpec.MIN_MEMORY_BYTES)
            .maxFpr(maxFpr)
            .window(window)
            .build();
    int lanes = LineForm.of(one).fullLanes();
    double share = (double) keys / shards;
    double lines = share / (lanes - freeLanes(window));
    if (shards > 1) {
      lines = Math.max(lines, (share + DEVIATIONS * Math.sqrt(share)) / lanes);
    }
    long whole = Math.max(1, (long) Math.ceil(lines));
    long inPairs = whole == 1 ? 1 : whole + (whole & 1);
    return shards * inPairs * LINE_BYTES;
  }

  private static double freeLanes(Window window) {
    if (window.isNone()) {
      return FREE_LANES;
    }
    return window.lateness() > 0 ? FREE_LANES_WITH_LATENESS : FREE_LANES_WITH_WINDOW;
  }
}
