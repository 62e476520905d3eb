package dev.unseen.filter.engine;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Specs;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FilterMergeTest {
  private static DuplicateFilter filled(FilterSpec spec, long[] hashes) {
    DuplicateFilter filter = Filters.create(spec);
    for (long hash : hashes) {
      filter.admit(hash);
    }
    return filter;
  }

  private static long[] fresh(int count, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    long[] hashes = new long[count];
    Arrays.setAll(hashes, i -> random.next());
    return hashes;
  }

  /** The counts that are kept are those of the bits, and what comes later goes well. */
  @Property(tries = 200)
  void the_result_is_a_sound_filter(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long seed = choices.draw("seed", longs());
    DuplicateFilter a = filled(spec, Specs.hashes(700, seed));
    DuplicateFilter b = filled(spec, Specs.hashes(900, seed + 1));
    double loadBefore = b.load();
    FilterMerge.mergeInto(a, b);
    assertThat(b.load()).isEqualTo(loadBefore);
    assertThat(a.load()).isEqualTo(FilterContractTest.countedLoad(a));
    assertThat(a.estimatedFpr()).isBetween(0.0, 1.0);
    if (spec.kind() == FilterKind.RECENCY) {
      assertThat(a.estimatedFpr()).isLessThanOrEqualTo(spec.maxFpr());
    }
    for (long hash : Specs.hashes(1000, seed + 2)) {
      a.admit(hash);
    }
    assertThat(a.load()).isEqualTo(FilterContractTest.countedLoad(a));
  }

  /** Of bits and cells, whatever either filter took for seen. */
  @Property(tries = 200)
  void filters_over_bits_forget_nothing(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long seed = choices.draw("seed", longs());
    if (spec.kind() == FilterKind.RECENCY) {
      return;
    }
    long[] hashes = Specs.hashes(1500, seed);
    DuplicateFilter a = filled(spec, Arrays.copyOf(hashes, 700));
    DuplicateFilter b = filled(spec, Arrays.copyOfRange(hashes, 700, 1500));
    boolean[] known = new boolean[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      known[i] = a.mightContain(hashes[i]) || b.mightContain(hashes[i]);
    }
    FilterMerge.mergeInto(a, b);
    for (int i = 0; i < hashes.length; i++) {
      assertThat(a.mightContain(hashes[i]) || !known[i]).as("record %d", i).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BLOOM", "SAMPLED"})
  void a_filter_that_never_forgets_becomes_that_of_both_streams(FilterKind kind) {
    FilterSpec spec = FilterSpec.of(kind, 3000);
    long[] hashes = Specs.hashes(4000, 7);
    DuplicateFilter a = filled(spec, Arrays.copyOf(hashes, 2000));
    DuplicateFilter b = filled(spec, Arrays.copyOfRange(hashes, 2000, 4000));
    FilterMerge.mergeInto(a, b);
    DuplicateFilter both = filled(spec, hashes);
    assertThat(a.load()).isEqualTo(both.load());
    for (long hash : fresh(5000, 8)) {
      assertThat(a.mightContain(hash)).isEqualTo(both.mightContain(hash));
    }
  }

  /** Two filters at a third of their capacity: nothing has to go. */
  @ParameterizedTest
  @EnumSource
  void recency_keeps_all_that_fits(Refresh refresh) {
    for (Window window : new Window[] {Window.NONE, Window.time(Duration.ofHours(1))}) {
      FilterSpec spec =
          FilterSpec.builder(FilterKind.RECENCY, 64_000).refresh(refresh).window(window).build();
      long[] hashes = fresh(14_000, 3); // 14 a line on average, of the 27 and more that fit
      DuplicateFilter a = Filters.create(spec);
      DuplicateFilter b = Filters.create(spec);
      a.advanceTo(1_000_000);
      b.advanceTo(1_900_000);
      for (int i = 0; i < hashes.length; i++) {
        (i % 2 == 0 ? a : b).admit(hashes[i]);
        if (i % 7 == 0) {
          a.admit(hashes[i / 2]); // some keys are in both, some are repeated
        }
      }
      FilterMerge.mergeInto(a, b);
      long lost = Arrays.stream(hashes).filter(hash -> !a.mightContain(hash)).count();
      assertThat(lost).as("%s", window).isLessThan(30); // of lines that have many
      assertThat(a.estimatedFpr()).isLessThan(spec.maxFpr());
      long wrong = Arrays.stream(fresh(200_000, 4)).filter(a::mightContain).count();
      assertThat(wrong).isLessThan(40); // 20 are expected at the very most
      a.advanceTo(1_000_000 + Duration.ofMinutes(61).toMillis());
      long expired = Arrays.stream(hashes).filter(hash -> !a.mightContain(hash)).count();
      if (window.isTime()) {
        assertThat(expired).as("those of the first filter alone").isBetween(5_000L, 8_000L);
      }
    }
  }

  /** What goes is the oldest of both. */
  @Test
  void full_recency_filters_keep_the_latest_of_both() {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 64_000).refresh(Refresh.ALWAYS).build();
    long[] first = fresh(60_000, 5);
    long[] second = fresh(60_000, 6);
    DuplicateFilter a = filled(spec, first);
    DuplicateFilter b = filled(spec, second);
    FilterMerge.mergeInto(a, b);
    for (long[] stream : new long[][] {first, second}) {
      long latest =
          Arrays.stream(stream, 55_000, 60_000).filter(hash -> a.mightContain(hash)).count();
      long old = Arrays.stream(stream, 0, 30_000).filter(hash -> a.mightContain(hash)).count();
      assertThat(latest).isGreaterThan(4_900);
      assertThat(old).isLessThan(100);
    }
  }

  /** One line with 23 of its 24 or 26 lanes in use: most of nine more keys evict the oldest. */
  @ParameterizedTest
  @EnumSource
  void after_a_merge_the_oldest_go_first(Refresh refresh) {
    FilterSpec spec = FilterSpec.builder(FilterKind.RECENCY, 64).refresh(refresh).build();
    long[] first = fresh(18, 7);
    long[] second = fresh(5, 8);
    int evicted = 18 + 5 + 9 - (refresh == Refresh.ADAPTIVE ? 24 : 26);
    DuplicateFilter filter = filled(spec, first);
    FilterMerge.mergeInto(filter, filled(spec, second));
    for (long hash : fresh(9, 9)) {
      filter.admit(hash);
    }
    for (int i = 0; i < first.length; i++) {
      assertThat(filter.mightContain(first[i])).as("key %d", i).isEqualTo(i >= evicted);
    }
    assertThat(Arrays.stream(second).allMatch(filter::mightContain)).isTrue();
  }

  /** As of a job whose shards were on two machines. */
  @ParameterizedTest
  @EnumSource
  void shards_that_were_apart_are_joined_without_loss(FilterKind kind) {
    FilterSpec spec = FilterSpec.of(kind, 128 * 100);
    ShardedFilter whole = ShardedFilter.of(spec);
    ShardedFilter low = ShardedFilter.of(spec);
    ShardedFilter high = ShardedFilter.of(spec);
    for (long hash : Specs.hashes(5000, 2)) {
      whole.admit(hash);
      (ShardedFilter.shardOf(hash) < 40 ? low : high).admit(hash);
    }
    FilterMerge.mergeInto(low, high);
    assertThat(low.records()).isEqualTo(5000);
    for (long hash : Specs.hashes(10_000, 2)) {
      assertThat(low.admit(hash)).isEqualTo(whole.admit(hash));
    }
    assertThat(low.load()).isEqualTo(whole.load());
  }

  @Test
  void filters_that_differ_are_rejected() {
    DuplicateFilter a = Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000));
    DuplicateFilter b = Filters.create(FilterSpec.builder(FilterKind.BLOOM, 1000).seed(1).build());
    assertThatThrownBy(() -> FilterMerge.mergeInto(a, b))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the filters differ in seed: 0 and 1")
        .hasMessageContaining("kind, memory, options, hash, and secret or seed are equal");
    FilterSpec spec = FilterSpec.of(FilterKind.BLOOM, 128 * 64);
    assertThatThrownBy(() -> FilterMerge.mergeInto(Filters.create(spec), ShardedFilter.of(spec)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in shards");
  }
}
