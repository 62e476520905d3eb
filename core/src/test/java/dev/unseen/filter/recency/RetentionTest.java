package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.engine.Filters;
import org.junit.jupiter.api.Test;

final class RetentionTest {
  private static final int LINES = 256; // four pages
  private static final long KEEPING_PROBE = 192;
  private static final long REPLACING_PROBE = 128;
  private static final int LEAST_KEYS = 64;
  private static final int EARLY_WEIGHT = 16;

  private static RecencyFilter filter(Refresh refresh, int lines) {
    return (RecencyFilter)
        Filters.create(
            FilterSpec.builder(FilterKind.RECENCY, lines * 64L).refresh(refresh).build());
  }

  /** A key of the probe weighs as much as one of each of the three other pages. */
  private static Retention keeping() {
    Retention retention = new Retention(LINES, 0, true);
    for (int i = 0; i <= LEAST_KEYS * EARLY_WEIGHT / 31; i++) {
      assertThat(retention.isKeeping()).isFalse();
      retention.comesAgain(KEEPING_PROBE);
    }
    assertThat(retention.isKeeping()).isTrue();
    return retention;
  }

  @Test
  void keys_are_replaced_at_first_except_in_probes() {
    Retention retention = new Retention(LINES, 0, true);
    assertThat(retention.isOpen()).isTrue();
    assertThat(retention.keeps(0)).isFalse();
    assertThat(retention.keeps(REPLACING_PROBE)).isFalse();
    assertThat(retention.keeps(KEEPING_PROBE)).isTrue();
    Retention large = new Retention(64 * 64, 0, true);
    assertThat(large.keeps(30 * 64)).isFalse();
    assertThat(large.keeps(31 * 64)).isTrue();
    assertThat(large.keeps(63 * 64)).isTrue();
  }

  @Test
  void keys_are_never_kept_without_sorted_lines_or_in_two_pages() {
    assertThat(new Retention(LINES, 0, false).isOpen()).isFalse();
    assertThat(new Retention(191, 0, true).isOpen()).isFalse();
    assertThat(filter(Refresh.NEVER, LINES).retention.isOpen()).isFalse();
    assertThat(filter(Refresh.ALWAYS, LINES).retention.isOpen()).isFalse();
  }

  @Test
  void keys_that_come_again_early_decide_for_replacing() {
    Retention retention = new Retention(LINES, 0, true);
    for (int i = 0; i < LEAST_KEYS; i++) {
      assertThat(retention.isOpen()).isTrue();
      retention.comesAgainEarly();
    }
    assertThat(retention.isOpen()).isFalse();
    assertThat(retention.keeps(KEEPING_PROBE)).isFalse();
  }

  @Test
  void keys_that_come_again_in_a_probe_decide_for_keeping_and_another_probe_replaces() {
    Retention retention = keeping();
    assertThat(retention.keeps(0)).isTrue();
    assertThat(retention.keeps(KEEPING_PROBE)).isTrue();
    assertThat(retention.keeps(REPLACING_PROBE)).isFalse();
  }

  @Test
  void equal_shares_of_keys_that_come_again_decide_nothing() {
    Retention retention = new Retention(LINES, 0, true);
    for (int i = 0; i < 10_000; i++) {
      retention.comesAgain(KEEPING_PROBE);
      for (int other = 0; other < 3; other++) {
        retention.comesAgain(0);
      }
    }
    assertThat(retention.isOpen()).isTrue();
    assertThat(retention.isKeeping()).isFalse();
  }

  @Test
  void keys_are_kept_as_long_as_the_probe_misses_as_many() {
    Retention retention = keeping();
    for (int i = 0; i < 10_000; i++) {
      retention.misses(REPLACING_PROBE);
      for (int other = 0; other < 3; other++) {
        retention.misses(0);
      }
    }
    assertThat(retention.isKeeping()).isTrue();
    for (int i = 0; i < 10_000; i++) {
      retention.misses(0);
    }
    assertThat(retention.isOpen()).isFalse();
  }

  /** The false positives of a filter that fills with new keys are no evidence. */
  @Test
  void false_positives_raise_the_limit() {
    Retention retention = new Retention(LINES, 100, true);
    for (int i = 0; i < LEAST_KEYS + 2 * 100; i++) {
      assertThat(retention.isOpen()).isTrue();
      retention.comesAgainEarly();
    }
    assertThat(retention.isOpen()).isFalse();
  }

  @Test
  void the_more_evidence_for_replacing_decides_when_two_are_merged() {
    Retention one = keeping();
    one.merge(new Retention(LINES, 0, true));
    assertThat(one.isOpen()).isTrue();
    assertThat(one.isKeeping()).isFalse();
    Retention other = new Retention(LINES, 0, true);
    for (int i = 0; i < LEAST_KEYS; i++) {
      other.comesAgainEarly();
    }
    one.merge(other);
    assertThat(one.isOpen()).isFalse();
  }

  @Test
  void a_loop_over_more_keys_than_fit_keeps_them() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, LINES);
    for (int i = 0; i < 200_000; i++) {
      filter.admit(Mix.mix(i % 20_000));
    }
    assertThat(filter.retention.isKeeping()).isTrue();
  }

  /** Also where nearly all of its keys fit. */
  @Test
  void a_loop_loses_less_the_more_of_its_keys_fit() {
    double before = 1;
    for (int bits = 6; bits <= 20; bits += 2) {
      int keys = 200_000;
      RecencyFilter filter = filter(Refresh.ADAPTIVE, keys * bits / 512);
      int missed = 0;
      for (int i = 0; i < 5 * keys; i++) {
        missed += filter.admit(Mix.mix(i % keys)) && i >= 2 * keys ? 1 : 0;
      }
      double fnr = missed / (3.0 * keys);
      double held = Math.min(1, 28.0 * bits / 512);
      assertThat(fnr).as(bits + " bits").isBetween(0.0, 1 - 0.9 * held).isLessThan(before);
      before = fnr + 0.001;
    }
  }

  @Test
  void a_stream_whose_keys_come_again_replaces_them() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, LINES);
    for (int i = 0; i < 20_000; i++) {
      filter.admit(Mix.mix(i % 10 == 9 ? Math.max(0, i - 995) : i));
    }
    assertThat(filter.retention.isOpen()).isFalse();
  }

  /** New keys only until the filter is full, and then one duplicate among 200, mostly recent. */
  @Test
  void rare_duplicates_are_found_although_none_came_while_the_filter_filled() {
    int lines = 4096;
    RecencyFilter filter = filter(Refresh.ADAPTIVE, lines);
    int capacity = lines * 24;
    SplitMix64 random = new SplitMix64(1);
    int duplicates = 0;
    int missed = 0;
    for (int i = 0; i < 8 * capacity; i++) {
      filter.admit(Mix.mix(i));
      if (i > 1.3 * capacity && i % 200 == 0) {
        duplicates++;
        long back = 1 + random.below(capacity / 10);
        missed += filter.admit(Mix.mix(i - back)) ? 1 : 0;
      }
    }
    assertThat(missed).isLessThan(duplicates / 25);
  }

  /** Duplicates that come at once are found either way, so they are no reason to keep keys. */
  @Test
  void bursts_do_not_decide_for_keeping() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, 2048);
    SplitMix64 random = new SplitMix64(2);
    int key = 1000;
    for (int i = 0; i < 2_000_000; i++) {
      filter.admit(Mix.mix(random.chance(1, 2) ? key - random.below(64) : ++key));
      assertThat(filter.retention.isKeeping()).isFalse();
    }
  }

  /** In a burst, or with other keys between. */
  @Test
  void a_popular_key_counts_once() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, LINES);
    for (int i = 0; i < 5000; i++) {
      filter.admit(Mix.mix(-1 - i % 20 / 18));
      if (i % 2 == 0) {
        filter.admit(Mix.mix(i));
      }
    }
    assertThat(filter.retention.isOpen()).isTrue();
  }
}
