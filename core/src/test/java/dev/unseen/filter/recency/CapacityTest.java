package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import org.junit.jupiter.api.Test;

/** How many of some keys that come again and again a filter lets through again. */
final class CapacityTest {
  private static final int KEYS = 100_000;

  /** Returns the share that is let through again. */
  private static double again(int bitsPerKey, double maxFpr, int passes) {
    DuplicateFilter filter =
        Filters.create(
            FilterSpec.builder(FilterKind.RECENCY, (long) KEYS * bitsPerKey / 8)
                .maxFpr(maxFpr)
                .build());
    int again = 0;
    for (int pass = 0; pass < passes; pass++) {
      for (int key = 0; key < KEYS; key++) {
        again += filter.admit(Mix.mix(key)) && pass > 0 ? 1 : 0;
      }
    }
    return (double) again / ((passes - 1) * KEYS);
  }

  @Test
  void all_keys_twice_are_let_through_once_if_there_is_room() {
    assertThat(again(24, 1e-4, 2)).isLessThanOrEqualTo(0.0005);
    assertThat(again(20, 1e-3, 2)).isLessThanOrEqualTo(0.0005);
    assertThat(again(16, 1e-3, 2)).isLessThanOrEqualTo(0.04);
  }

  @Test
  void a_loop_over_more_keys_than_fit_finds_a_share_of_them() {
    assertThat(again(8, 1e-3, 4)).isLessThan(0.6);
  }
}
