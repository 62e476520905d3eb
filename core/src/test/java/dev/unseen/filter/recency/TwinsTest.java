package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterMerge;
import dev.unseen.filter.FilterSpec;
import dev.unseen.hash.Mix;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import org.junit.jupiter.api.Test;

final class TwinsTest {
  private static RecencyFilter filter(long memory) {
    return (RecencyFilter)
        FilterSpec.builder(FilterKind.RECENCY, memory).maxFpr(1e-3).build().build();
  }

  /** Each watched line finds its twin behind the lines, and no other line's. */
  @Property(tries = 300)
  void all_twins_of_watched_lines_are_within_the_storage(Choices choices) {
    long all = choices.draw("lines", longs(1, 1L << 40));
    long twins = Twins.count(all);
    long lines = all - twins;
    assertThat(lines).isPositive();
    if (twins > 0) {
      long distance = Twins.mask(all) + 1;
      long watched = (lines * Lanes.WORDS - 1) / distance + 1;
      assertThat(watched).isBetween(twins - 1, twins).isBetween(1L, 64L);
      assertThat((double) twins / all).isLessThan(all < 1024 ? 0.04 : 0.005);
    }
  }

  @Test
  void small_filters_have_none() {
    assertThat(Twins.count(31)).isZero();
    assertThat(Twins.count(32)).isEqualTo(1);
    assertThat(filter(31 * 64).lines).isEqualTo(31);
    assertThat(filter(1 << 20).lines).isLessThan((1 << 20) / 64);
  }

  /** A share of a loop that is a little over what fits, from the third time on. */
  private static double missed(RecencyFilter filter, int keys, int passes) {
    long missed = 0;
    long repeats = 0;
    for (int pass = 0; pass < passes; pass++) {
      for (int i = 0; i < keys; i++) {
        boolean fresh = filter.admit(Mix.mix(i));
        if (pass >= 2) {
          repeats++;
          missed += fresh ? 1 : 0;
        }
      }
    }
    return (double) missed / repeats;
  }

  /**
   * A line of 38 lanes: from the third time on, what fits is known but for three in a hundred. If
   * nearly all fits, more: lines do not get equally many keys.
   */
  @Test
  void a_loop_over_more_keys_than_fit_is_known_as_far_as_memory_goes() {
    for (int keys : new int[] {50_000, 100_000, 200_000}) {
      RecencyFilter filter = filter(100_000);
      double fits = 38.0 * filter.lines / keys;
      assertThat(missed(filter, keys, 5))
          .as("%d keys, of which %.2f fit", keys, fits)
          .isLessThan(Math.max(0, 1 - fits) + (fits > 1 ? 0.12 : 0.03));
    }
  }

  /** After a loop come keys that are each sent twice, a short time apart. */
  @Test
  void the_way_is_changed_back_when_the_stream_changes() {
    RecencyFilter filter = filter(100_000);
    missed(filter, 100_000, 4);
    assertThat(filter.target.isKeeping()).isTrue();
    long missed = 0;
    int delay = 10_000;
    int keys = 600_000;
    for (int i = 0; i < keys; i++) {
      filter.admit(Mix.mix(~i));
      boolean fresh = i >= delay && filter.admit(Mix.mix(~(i - delay)));
      missed += fresh && i > keys / 2 ? 1 : 0;
    }
    assertThat(filter.target.isKeeping()).isFalse();
    assertThat(missed / (keys / 2.0)).isLessThan(0.01);
  }

  /** Twins do not count as keys that the filter knows. */
  @Test
  void twins_are_in_no_count() {
    RecencyFilter filter = filter(100_000);
    missed(filter, 100_000, 3);
    assertThat(filter.load()).isEqualTo(filter.countLoad());
    assertThat(filter.estimatedCardinality()).isLessThanOrEqualTo(38.0 * filter.lines);
    assertThat(filter.forgotten().getAsLong()).isPositive();
  }

  @Test
  void what_the_twins_have_found_out_survives_a_merge() {
    RecencyFilter a = filter(100_000);
    RecencyFilter b = filter(100_000);
    missed(b, 100_000, 4);
    FilterMerge.mergeInto(a, b);
    assertThat(a.target.isKeeping()).isTrue();
    assertThat(missed(a, 100_000, 3)).isLessThan(0.5);
  }
}
