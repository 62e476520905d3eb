package dev.unseen.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise of {@link FilterSpec#memoryFor}: a filter of this size evicts at most one key in
 * 20,000 early, in one piece or in shards.
 */
final class SteadyCapacityTest {
  private static final int KEYS = 100_000;
  private static final int KEYS_PER_EVICTED = 20_000;
  private static final long LENGTH = 8_000_000;
  private static final Window WINDOW = Window.time(Duration.ofMillis(LENGTH));
  private static final Window LATE = WINDOW.withLateness(Duration.ofMillis(LENGTH));

  private static FilterSpec spec(
      int keys, double maxFpr, Window window, Refresh refresh, int shards) {
    long memory = Capacity.memoryFor(FilterKind.RECENCY, keys, maxFpr, window, shards);
    return FilterSpec.builder(FilterKind.RECENCY, memory)
        .maxFpr(maxFpr)
        .window(window)
        .refresh(refresh)
        .build();
  }

  /** All keys are held at the end, in whatever order they are evicted, and if they come again. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void all_keys_fit_without_a_window(double maxFpr) {
    for (Refresh refresh : Refresh.values()) {
      for (boolean again : new boolean[] {false, true}) {
        DuplicateFilter filter = Filters.create(spec(KEYS, maxFpr, Window.NONE, refresh, 1));
        for (int i = 0; i < KEYS; i++) {
          filter.admit(Mix.mix(i));
          if (again) {
            filter.admit(Mix.mix(i / 2));
          }
        }
        assertThat(filter.evicted().orElseThrow())
            .as("%s of %d, again: %s", refresh, KEYS, again)
            .isLessThanOrEqualTo(KEYS / KEYS_PER_EVICTED);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void a_steady_stream_fits_its_window(double maxFpr) {
    assertFits(Filters.create(spec(KEYS, maxFpr, WINDOW, Refresh.NEVER, 1)), KEYS, 4);
  }

  /** The keys of one window are the keys of a window: those kept for late records come on top. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void a_steady_stream_fits_its_window_if_records_may_be_late(double maxFpr) {
    assertFits(Filters.create(spec(KEYS, maxFpr, LATE, Refresh.NEVER, 1)), KEYS, 4);
  }

  /** Shards get their keys by chance: the fewer keys they have, the more unevenly. */
  @ParameterizedTest
  @CsvSource({
    "1000, 1e-4",
    "3000, 1e-6",
    "10000, 1e-2",
    "10000, 1e-4",
    "30000, 1e-4",
    "50000, 1e-2",
    "100000, 1e-3",
    "100000, 1e-4",
    "100000, 1e-6",
    "300000, 1e-2",
    "1000000, 1e-4"
  })
  void a_steady_stream_fits_its_window_in_shards(int keys, double maxFpr) {
    int windows = Math.max(2, 800_000 / keys);
    for (Window window : new Window[] {WINDOW, LATE}) {
      FilterSpec spec = spec(keys, maxFpr, window, Refresh.NEVER, ShardedFilter.SHARDS);
      assertFits(ShardedFilter.of(spec), keys, windows);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 10_000, 30_000, 100_000, 300_000})
  void all_keys_fit_in_shards_without_a_window(int keys) {
    FilterSpec spec = spec(keys, 1e-3, Window.NONE, Refresh.ADAPTIVE, ShardedFilter.SHARDS);
    int rounds = 1 + 300_000 / keys;
    long evicted = 0;
    for (int round = 0; round < rounds; round++) {
      DuplicateFilter filter = ShardedFilter.of(spec);
      for (int i = 0; i < keys; i++) {
        filter.admit(Mix.mix((long) round * keys + i));
      }
      evicted += filter.evicted().orElseThrow();
    }
    assertThat(evicted).isLessThanOrEqualTo(rounds * (long) keys / KEYS_PER_EVICTED);
  }

  @Test
  void as_many_keys_fit_as_the_memory_was_derived_from() {
    for (int shards : new int[] {1, ShardedFilter.SHARDS}) {
      for (Window window : new Window[] {Window.NONE, WINDOW, LATE}) {
        for (int keys = 1; keys < 10_000_000; keys += 1 + keys / 3) {
          long fit =
              Capacity.keysThatFit(spec(keys, 1e-4, window, Refresh.ADAPTIVE, shards), shards)
                  .orElseThrow();
          assertThat(fit).as("%s in %d shards", window, shards).isGreaterThanOrEqualTo(keys);
          long larger = fit + fit / 100 + 1;
          assertThat(spec((int) larger, 1e-4, window, Refresh.ADAPTIVE, shards).memoryBytes())
              .as("%d and %d keys, %s in %d shards", fit, larger, window, shards)
              .isGreaterThan(spec(keys, 1e-4, window, Refresh.ADAPTIVE, shards).memoryBytes());
        }
      }
    }
  }

  private static void assertFits(DuplicateFilter filter, int keys, int counted) {
    int filling = 2; // windows
    long before = 0;
    for (long i = 0; i < (long) (filling + counted) * keys; i++) {
      if (i == (long) filling * keys) {
        before = evicted(filter);
      }
      filter.admit(Mix.mix(i), i * LENGTH / keys);
    }
    assertThat(evicted(filter) - before)
        .as("of %d", (long) counted * keys)
        .isLessThanOrEqualTo((long) counted * keys / KEYS_PER_EVICTED);
  }

  private static long evicted(DuplicateFilter filter) {
    return filter.evictedEarly();
  }
}
