package dev.unseen.lab;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.Filters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys that RECENCY evicted early, with one size.
 *
 * @param window whether it has a window
 * @param derived whether the memory is the one that is derived from the number of keys
 * @param keys how many were counted
 * @param evicted how many of them were evicted early
 */
record SizingRun(
    double maxFpr,
    boolean window,
    double bytesPerKey,
    boolean derived,
    long memoryBytes,
    long keys,
    long evicted) {
  /** The rates that are measured, which the chart draws. */
  static final List<Double> RATES = List.of(1e-2, 1e-4, 1e-6);

  /** Shares of the memory that is derived from the number of keys. */
  private static final List<Double> SHARES =
      List.of(0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.96, 0.98, 1.0, 1.02);

  private static final long LENGTH = 8_000_000;
  private static final Window WINDOW = Window.time(Duration.ofMillis(LENGTH));
  private static final int FILLING = 2; // windows

  static List<SizingRun> all(int keys, int rounds) {
    List<SizingRun> runs = new ArrayList<>();
    for (double maxFpr : RATES) {
      for (boolean window : new boolean[] {false, true}) {
        for (double share : SHARES) {
          runs.add(of(maxFpr, window, share, keys, rounds));
        }
      }
    }
    return runs;
  }

  /**
   * Measures one size.
   *
   * @param share of the memory that is derived from the number of keys
   */
  static SizingRun of(double maxFpr, boolean window, double share, int keys, int rounds) {
    Window of = window ? WINDOW : Window.NONE;
    long derived = Capacity.memoryFor(FilterKind.RECENCY, keys, maxFpr, of, 1);
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, (long) (derived * share))
            .maxFpr(maxFpr)
            .window(of)
            .build();
    long evicted = window ? steady(spec, keys, rounds) : once(spec, keys, rounds);
    long memory = spec.memoryBytes();
    return new SizingRun(
        maxFpr,
        window,
        (double) memory / keys,
        memory == derived,
        memory,
        (long) rounds * keys,
        evicted);
  }

  /** Runs a stream of new keys, of which as many come in each window. */
  private static long steady(FilterSpec spec, int keys, int rounds) {
    DuplicateFilter filter = Filters.create(spec);
    long before = 0;
    for (long i = 0; i < (long) (FILLING + rounds) * keys; i++) {
      if (i == (long) FILLING * keys) {
        before = filter.evictedEarly();
      }
      filter.admit(Mix.mix(i), i * LENGTH / keys);
    }
    return filter.evictedEarly() - before;
  }

  /** Fills filters with as many keys each. */
  private static long once(FilterSpec spec, int keys, int rounds) {
    long evicted = 0;
    for (long round = 0; round < rounds; round++) {
      DuplicateFilter filter = Filters.create(spec);
      for (long i = 0; i < keys; i++) {
        filter.admit(Mix.mix(round * keys + i));
      }
      evicted += filter.evicted().orElseThrow();
    }
    return evicted;
  }

  double share() {
    return (double) evicted / keys;
  }
}
