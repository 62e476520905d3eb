package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.filter.engine.Filters;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two filters may have the same key in different lines, so they are merged page by page. */
final class PageMergeTest {
  /** Some lines that are one page, two, and two with a large last one. */
  private static final List<Integer> LINES = List.of(1, 2, 63, 64, 128, 190);

  @Property(tries = 200)
  void all_keys_are_held_once_while_there_is_room(Choices choices) {
    int lines = choices.draw("lines", oneOf(LINES.toArray(Integer[]::new)));
    Refresh refresh = choices.draw("refresh", oneOf(Refresh.values()));
    int shared = choices.draw("shared percent", ints(0, 100));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, lines * 64L).maxFpr(1e-6).refresh(refresh).build();
    LineFilter a = (LineFilter) Filters.create(spec);
    LineFilter b = (LineFilter) Filters.create(spec);
    int keys = lines == 1 ? 15 : 12 * (lines & -2);
    int distinct = 0;
    for (int i = 0; i < keys; i++) {
      boolean both = random.chance(shared, 100);
      distinct += (both || i % 2 == 0 ? a : b).admit(Mix.mix(i)) ? 1 : 0;
      if (both) {
        b.admit(Mix.mix(i));
      }
    }
    FilterMerge.mergeInto(a, b);
    for (int i = 0; i < keys; i++) {
      assertThat(a.mightContain(Mix.mix(i))).as("key %d", i).isTrue();
    }
    assertThat(a.estimatedCardinality()).isEqualTo(distinct);
    assertThat(a.load()).isEqualTo(a.countLoad());
  }

  @Property(tries = 200)
  void times_are_kept_by_a_merge(Choices choices) {
    int lines = choices.draw("lines", oneOf(LINES.toArray(Integer[]::new)));
    int lateEighths = choices.draw("lateness", oneOf(0, 8, 40));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    long length = 8000;
    Window window = new Window(length, Window.Unit.MILLISECONDS, length * lateEighths / 8);
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, lines * 64L).maxFpr(1e-6).window(window).build();
    LineFilter a = (LineFilter) Filters.create(spec);
    LineFilter b = (LineFilter) Filters.create(spec);
    int keys = lines == 1 ? 12 : 8 * (lines & -2);
    long[] times = new long[keys];
    long start = 1_700_000_000_000L;
    for (int i = 0; i < keys; i++) {
      times[i] = start + i * length / keys;
      (random.chance(1, 2) ? a : b).admit(Mix.mix(i), times[i]);
    }
    FilterMerge.mergeInto(a, b);
    assertThat(a.load()).isEqualTo(a.countLoad());
    long now = times[keys - 1];
    for (int i = 0; i < keys; i++) {
      long seen = now < times[i] + length * 7 / 8 ? now : times[i] + length * 7 / 8;
      assertThat(holds(a, i, seen, now, window)).as("key %d", i).isTrue();
      assertThat(a.mightContain(Mix.mix(i), times[i] + length)).as("key %d", i).isFalse();
    }
  }

  /** A record of an earlier time can be asked about only as far as records may be late. */
  private static boolean holds(DuplicateFilter filter, int key, long at, long now, Window window) {
    return filter.mightContain(Mix.mix(key), at) || (at < now && window.lateness() < now - at);
  }

  /** A key that was seen twice is known for late records at both times, also after a merge. */
  @Test
  void both_times_of_a_key_are_kept_for_late_records() {
    long length = 8000;
    Window window = new Window(length, Window.Unit.MILLISECONDS, 2 * length);
    FilterSpec spec = FilterSpec.builder(FilterKind.RECENCY, 64 * 64L).window(window).build();
    DuplicateFilter a = Filters.create(spec);
    a.admit(1, 20_000);
    a.admit(1, 26_000);
    assertThat(a.mightContain(1, 14_000)).isTrue();
    FilterMerge.mergeInto(a, Filters.create(spec));
    assertThat(a.mightContain(1, 14_000)).isTrue();
    assertThat(a.mightContain(1, 32_000)).isTrue();
  }
}
