package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WindowFilterTest {
  private static final long ROOMY = 1 << 20;

  private static DuplicateFilter filter(long memory, Window window, Refresh refresh) {
    return Filters.create(
        FilterSpec.builder(FilterKind.RECENCY, memory).window(window).refresh(refresh).build());
  }

  /** At any distance, for any window: within 7/8 of it a duplicate, beyond it new. */
  @Property(tries = 300)
  void a_key_counts_as_seen_for_a_window_of_records(Choices choices) {
    int window = choices.draw("window", ints(8, 3000));
    int before = choices.draw("before", ints(0, 5000));
    int distance = choices.draw("distance", ints(1, 6000));
    DuplicateFilter filter = filter(ROOMY, Window.records(window), Refresh.ALWAYS);
    for (int i = 0; i < before; i++) {
      filter.admit(Mix.mix(i));
    }
    filter.admit(-1);
    for (int i = 1; i < distance; i++) {
      filter.admit(Mix.mix(1_000_000 + i));
    }
    boolean foretold = filter.mightContain(-1);
    boolean seen = !filter.admit(-1);
    assertThat(foretold).isEqualTo(seen);
    if (distance <= window - (window + 7) / 8) {
      assertThat(seen).isTrue();
    } else if (distance >= window) {
      assertThat(seen).isFalse();
    }
  }

  @Property(tries = 300)
  void a_key_counts_as_seen_for_a_window_of_time(Choices choices) {
    long window = choices.draw("window", longs(8, 100_000));
    long start = choices.draw("start", longs(-1_000_000, 2_000_000_000_000L));
    long distance = choices.draw("distance", longs(0, 200_000));
    DuplicateFilter filter = filter(ROOMY, Window.time(Duration.ofMillis(window)), Refresh.ALWAYS);
    filter.advanceTo(start);
    filter.admit(-1);
    filter.advanceTo(start + distance);
    boolean seen = !filter.admit(-1);
    if (distance <= window - (window + 7) / 8) {
      assertThat(seen).isTrue();
    } else if (distance >= window) {
      assertThat(seen).isFalse();
    }
  }

  @Test
  void a_duplicate_renews_its_key_unless_told_otherwise() {
    DuplicateFilter renewed = filter(ROOMY, Window.records(800), Refresh.ADAPTIVE);
    DuplicateFilter left = filter(ROOMY, Window.records(800), Refresh.NEVER);
    for (int i = 0; i < 3000; i++) {
      boolean again = i % 500 == 0;
      assertThat(renewed.admit(again ? -1 : Mix.mix(i))).isEqualTo(i == 0 || !again);
      assertThat(left.admit(again ? -1 : Mix.mix(i))).isEqualTo(i % 1000 == 0 || !again);
    }
  }

  @Test
  void time_does_not_go_back() {
    DuplicateFilter filter = filter(ROOMY, Window.time(Duration.ofSeconds(8)), Refresh.ALWAYS);
    filter.advanceTo(100_000);
    filter.admit(1);
    filter.advanceTo(0); // late
    assertThat(filter.admit(2)).isTrue();
    assertThat(filter.admit(1)).isFalse();
    filter.advanceTo(106_000);
    assertThat(filter.mightContain(2)).as("seen when the latest time was 100,000").isTrue();
  }

  /** Expired lanes are used again: forty windows' worth of keys pass through, none is evicted. */
  @Test
  void memory_that_fits_the_window_covers_it() {
    DuplicateFilter filter = filter(1 << 18, Window.records(30_000), Refresh.ALWAYS);
    for (int i = 0; i < 1_200_000; i++) {
      filter.admit(Mix.mix(i));
    }
    assertThat(filter.coverage()).isGreaterThan(0.999);
    assertThat(filter.load()).isLessThan(0.5);
    assertThat(filter.estimatedFpr()).isLessThan(1e-6);
  }

  /** 4096 lines of 24 lanes hold 98,304 keys, about a tenth of the window. */
  @Test
  void memory_too_small_for_the_window_says_how_much_it_covers() {
    DuplicateFilter filter = filter(1 << 18, Window.records(1_000_000), Refresh.ALWAYS);
    for (int i = 0; i < 3_000_000; i++) {
      filter.admit(Mix.mix(i));
    }
    assertThat(filter.coverage()).isCloseTo(0.098, within(0.005));
    assertThat(filter.load()).isEqualTo(1);
  }

  /** Then the few keys that were evicted are all that have left, and were there for no time. */
  @Test
  void a_few_keys_evicted_in_the_first_window_are_not_the_whole_coverage() {
    DuplicateFilter filter = filter(1 << 18, Window.records(1_000_000), Refresh.NEVER);
    for (int i = 0; filter.evictedEarly() < 3; i++) {
      filter.admit(Mix.mix(i));
    }
    assertThat(filter.coverage()).isBetween(0.999, 1.0);
  }

  /**
   * Old keys must not be taken for seen beyond the stated rate, though their lanes are still there.
   */
  @Test
  void old_keys_are_new_again() {
    DuplicateFilter filter = filter(1 << 18, Window.records(8_000), Refresh.ALWAYS);
    int lost = 0;
    for (int i = 0; i < 2_000_000; i++) {
      lost += filter.admit(Mix.mix(i % 8_001)) ? 0 : 1; // each comes back just after its window
    }
    assertThat(lost).as("20 expected at 1e-5, the rate of this load is far below").isLessThan(20);
  }

  /** The steps in a line's header come round after 512 windows. */
  @Test
  void an_idle_key_is_forgotten_after_any_number_of_windows() {
    for (int windows : new int[] {1, 2, 100, 511, 512, 513, 1024, 100_000}) {
      for (int hop : new int[] {125, 999, 1000, 7777, 300_000, Integer.MAX_VALUE}) {
        DuplicateFilter filter = filter(4096, Window.time(Duration.ofSeconds(1)), Refresh.ALWAYS);
        filter.advanceTo(0);
        for (int key = 0; key < 500; key++) {
          filter.admit(Mix.mix(key));
        }
        long end = windows * 1000L;
        for (long t = hop; t < end; t += hop) {
          filter.advanceTo(t); // nothing comes in
        }
        filter.advanceTo(end);
        for (int key = 0; key < 500; key++) {
          assertThat(filter.mightContain(Mix.mix(key))).as("%d by %d", windows, hop).isFalse();
        }
      }
    }
  }

  /**
   * Against an exact set of the keys of the last window, on a stream of repeats at all distances.
   */
  @Test
  void agrees_with_an_exact_window_but_for_its_slack() {
    int window = 4000;
    DuplicateFilter filter = filter(ROOMY, Window.records(window), Refresh.ALWAYS);
    SplitMix64 random = new SplitMix64(5);
    long[] keys = new long[200_000];
    java.util.Map<Long, Integer> last = new java.util.HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      int back = 1 + (int) random.below(2L * window);
      keys[i] = i >= back && random.chance(1, 2) ? keys[i - back] : random.next();
      Integer before = last.put(keys[i], i);
      int distance = before == null ? Integer.MAX_VALUE : i - before;
      boolean fresh = filter.admit(keys[i]);
      if (distance <= window - window / 8) {
        assertThat(fresh).as("distance %d", distance).isFalse();
      } else if (distance >= window) {
        assertThat(fresh).as("distance %d", distance).isTrue();
      }
    }
  }

  @Test
  void windows_that_cannot_be_followed_are_rejected() {
    for (long length : new long[] {-5, 0, 7}) {
      assertThatThrownBy(() -> Window.records(length))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be 8 to");
    }
    assertThatThrownBy(() -> Window.time(Duration.ofMillis(3)))
        .hasMessageStartingWith("window (3ms) must be 8 to");
    assertThatThrownBy(
            () -> FilterSpec.builder(FilterKind.RLBSBF, 64).window(Window.records(100)).build())
        .hasMessage(
            "window (100 records) must be left out for rlbsbf; it is only for kind recency");
  }

  @Test
  void a_window_out_of_range_is_rejected_with_the_remedy() {
    String most = "576,460,752,303,423,487";
    assertThatThrownBy(() -> Window.time(Duration.ofDays(1_000_000_000_000L)))
        .hasMessage(
            "window (1000000000000d) must be 8 to %s ms; leave window out for no window", most);
    assertThatThrownBy(() -> Window.time(Duration.ZERO)).hasMessageStartingWith("window (0 ns) ");
    assertThatThrownBy(() -> Window.time(Duration.ofHours(-1)))
        .hasMessageStartingWith("window (-1h) must be 8 to");
    assertThatThrownBy(() -> Window.parse("5"))
        .hasMessage(
            "window (5 records) must be 8 to %s records; leave window out for no window", most);
    assertThatThrownBy(() -> Window.parse("0s"))
        .hasMessage("window (0 ns) must be 8 to %s ms; leave window out for no window", most);
  }
}
