package dev.unseen.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.filter.base.Windowed;
import dev.unseen.filter.engine.Capacity;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise of {@link FilterSpec#memoryFor}: a filter of this size evicts at most one key in
 * 20,000 early.
 */
final class SteadyCapacityTest {
  private static final int KEYS = 100_000;
  private static final int KEYS_PER_EVICTED = 20_000;
  private static final long WINDOW = 8_000_000;

  private static DuplicateFilter filter(double maxFpr, Window window, Refresh refresh) {
    long memory = Capacity.memoryFor(FilterKind.RECENCY, KEYS, maxFpr, window);
    return FilterSpec.builder(FilterKind.RECENCY, memory)
        .maxFpr(maxFpr)
        .window(window)
        .refresh(refresh)
        .build()
        .build();
  }

  /** All keys are held at the end, in whatever order they are forgotten. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void all_keys_fit_without_a_window(double maxFpr) {
    for (Refresh refresh : new Refresh[] {Refresh.ADAPTIVE, Refresh.NEVER}) {
      DuplicateFilter filter = filter(maxFpr, Window.NONE, refresh);
      for (int i = 0; i < KEYS; i++) {
        filter.admit(Mix.mix(i));
      }
      assertThat(filter.forgotten().orElseThrow())
          .as("%s of %d", refresh, KEYS)
          .isLessThanOrEqualTo(KEYS / KEYS_PER_EVICTED);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void a_steady_stream_fits_its_window(double maxFpr) {
    assertFits(filter(maxFpr, Window.time(Duration.ofMillis(WINDOW)), Refresh.NEVER));
  }

  /** The keys of one window are the keys of a window: those kept for late records come on top. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-2, 1e-3, 1e-4, 1e-6})
  void a_steady_stream_fits_its_window_if_records_may_be_late(double maxFpr) {
    Duration window = Duration.ofMillis(WINDOW);
    assertFits(filter(maxFpr, Window.time(window).withLateness(window), Refresh.NEVER));
  }

  private static void assertFits(DuplicateFilter filter) {
    long before = 0;
    int windows = 6;
    int counted = 4; // in the first two it fills
    for (long i = 0; i < (long) windows * KEYS; i++) {
      if (i == (long) (windows - counted) * KEYS) {
        before = ((Windowed) filter).pushedOut();
      }
      filter.admit(Mix.mix(i), i * WINDOW / KEYS);
    }
    assertThat(((Windowed) filter).pushedOut() - before)
        .as("of %d", counted * KEYS)
        .isLessThanOrEqualTo(counted * KEYS / KEYS_PER_EVICTED);
  }
}
