package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.engine.Filters;
import org.junit.jupiter.api.Test;

final class RetentionTest {
  private static final int LINES = 256; // four pages, the last of which is the probe
  private static final long PROBE = 192;
  private static final int LEAST_KEYS = 64;

  private static RecencyFilter filter(Refresh refresh, int lines) {
    return (RecencyFilter)
        Filters.create(
            FilterSpec.builder(FilterKind.RECENCY, lines * 64L).refresh(refresh).build());
  }

  @Test
  void keys_are_kept_except_in_probes() {
    Retention retention = new Retention(LINES, 0, true);
    assertThat(retention.isKeeping()).isTrue();
    assertThat(retention.keeps(0)).isTrue();
    assertThat(retention.keeps(PROBE)).isFalse();
    Retention large = new Retention(64 * 64, 0, true);
    assertThat(large.keeps(30 * 64)).isTrue();
    assertThat(large.keeps(31 * 64)).isFalse();
    assertThat(large.keeps(63 * 64)).isFalse();
  }

  @Test
  void keys_are_never_kept_without_sorted_lines_or_in_a_single_page() {
    assertThat(new Retention(LINES, 0, false).isKeeping()).isFalse();
    assertThat(new Retention(127, 0, true).isKeeping()).isFalse();
    assertThat(filter(Refresh.NEVER, LINES).retention.isKeeping()).isFalse();
    assertThat(filter(Refresh.ALWAYS, LINES).retention.isKeeping()).isFalse();
  }

  @Test
  void evidence_ends_keeping() {
    Retention retention = new Retention(LINES, 0, true);
    for (int i = 0; i < LEAST_KEYS; i++) {
      assertThat(retention.isKeeping()).isTrue();
      retention.comesAgain(0, false);
    }
    assertThat(retention.isKeeping()).isFalse();
    assertThat(retention.keeps(0)).isFalse();
  }

  /** A key of the probe weighs as much as one of each of the three other pages. */
  @Test
  void keys_that_were_kept_outweigh_those_of_probes() {
    Retention retention = new Retention(LINES, 0, true);
    for (int i = 0; i < 1000; i++) {
      retention.comesAgain(PROBE, false);
      for (int other = 0; other < 3; other++) {
        retention.comesAgain(0, true);
      }
    }
    assertThat(retention.isKeeping()).isTrue();
    for (int i = 0; i < LEAST_KEYS / 3 + 1; i++) {
      retention.comesAgain(PROBE, false);
    }
    assertThat(retention.isKeeping()).isFalse();
  }

  /** The false positives of a filter that fills with new keys are no evidence. */
  @Test
  void false_positives_raise_the_limit() {
    Retention retention = new Retention(LINES, 100, true);
    for (int i = 0; i < LEAST_KEYS + 2 * 100; i++) {
      assertThat(retention.isKeeping()).isTrue();
      retention.comesAgain(0, false);
    }
    assertThat(retention.isKeeping()).isFalse();
  }

  @Test
  void the_more_evidence_decides_when_two_are_merged() {
    Retention one = new Retention(LINES, 0, true);
    Retention other = new Retention(LINES, 0, true);
    for (int i = 0; i < LEAST_KEYS; i++) {
      other.comesAgain(0, false);
    }
    one.merge(other);
    assertThat(one.isKeeping()).isFalse();
    other.merge(new Retention(LINES, 0, true));
    assertThat(other.isKeeping()).isFalse();
  }

  @Test
  void a_loop_over_more_keys_than_fit_keeps_them() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, LINES);
    for (int i = 0; i < 200_000; i++) {
      filter.admit(Mix.mix(i % 20_000));
    }
    assertThat(filter.retention.isKeeping()).isTrue();
  }

  @Test
  void a_stream_whose_keys_come_again_replaces_them() {
    RecencyFilter filter = filter(Refresh.ADAPTIVE, LINES);
    for (int i = 0; i < 20_000; i++) {
      filter.admit(Mix.mix(i % 10 == 9 ? Math.max(0, i - 95) : i));
    }
    assertThat(filter.retention.isKeeping()).isFalse();
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
    assertThat(filter.retention.isKeeping()).isTrue();
  }
}
