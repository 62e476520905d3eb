package dev.unseen.filter.engine;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Specs;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.recency.RecencyAccess;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jol.info.GraphLayout;

/** What every kind of filter promises. A new kind is here as soon as it is in the enum. */
final class FilterContractTest {
  private static long[] hashes(int count, long seed) {
    return Specs.hashes(count, seed);
  }

  @Property(tries = 300)
  void a_batch_gives_the_answers_of_one_by_one(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter single = Filters.create(spec);
    DuplicateFilter batch = Filters.create(spec);
    SplitMix64 random = new SplitMix64(streamSeed);
    long[] hashes = hashes(3000, streamSeed);
    int at = 0;
    while (at < hashes.length) {
      int count = (int) random.below(Math.min(300, hashes.length - at) + 1L);
      long[] fresh = new long[count / 64 + 2];
      Arrays.fill(fresh, -1); // whatever was there is overwritten
      int admitted = batch.admitAll(hashes, at, count, fresh);
      int expected = 0;
      for (int i = 0; i < count; i++) {
        boolean one = single.admit(hashes[at + i]);
        expected += one ? 1 : 0;
        assertThat(((fresh[i / 64] >>> i) & 1) != 0).as("record %d", at + i).isEqualTo(one);
      }
      assertThat(admitted).isEqualTo(expected);
      if (count % 64 != 0) {
        assertThat(fresh[count / 64] >>> count).as("bits beyond the count").isZero();
      }
      at += count;
    }
    assertThat(batch.load()).isEqualTo(single.load());
  }

  @Property(tries = 100)
  void asking_changes_nothing_and_foretells_the_answer(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter asked = Filters.create(spec);
    DuplicateFilter unasked = Filters.create(spec);
    for (long hash : hashes(1000, streamSeed)) {
      boolean foretold = asked.mightContain(hash);
      asked.mightContain(~hash);
      assertThat(asked.admit(hash)).isEqualTo(!foretold).isEqualTo(unasked.admit(hash));
    }
    assertThat(asked.load()).isEqualTo(unasked.load());
  }

  @Property(tries = 200)
  void asking_about_a_batch_gives_the_answers_of_one_by_one(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter filter = Filters.create(spec);
    DuplicateFilter unasked = Filters.create(spec);
    SplitMix64 random = new SplitMix64(streamSeed);
    long[] hashes = hashes(2000, streamSeed);
    long time = Long.MIN_VALUE;
    for (int at = 0; at < hashes.length; ) {
      int count = (int) random.below(Math.min(300, hashes.length - at) + 1L);
      long[] seen = new long[count / 64 + 2];
      Arrays.fill(seen, -1); // whatever was there is overwritten
      int duplicates = filter.mightContainAll(hashes, at, count, time, seen);
      for (int i = 0; i < count; i++) {
        boolean one = unasked.mightContain(hashes[at + i], time);
        assertThat(((seen[i / 64] >>> i) & 1) != 0).as("record %d", at + i).isEqualTo(one);
        duplicates -= one ? 1 : 0;
      }
      assertThat(duplicates).isZero();
      if (count % 64 != 0) {
        assertThat(seen[count / 64] >>> count).as("bits beyond the count").isZero();
      }
      time = Math.max(0, time) + random.below(1000);
      filter.advanceTo(time);
      unasked.advanceTo(time);
      for (int i = 0; i < count; i++) {
        assertThat(filter.admit(hashes[at + i])).isEqualTo(unasked.admit(hashes[at + i]));
      }
      at += count;
    }
    assertThat(filter.load()).isEqualTo(unasked.load());
  }

  @Property(tries = 100)
  void the_kept_load_is_the_counted_load(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter filter = Filters.create(spec);
    assertThat(filter.load()).isZero();
    assertThat(filter.estimatedFpr()).isZero();
    for (long hash : hashes(2000, streamSeed)) {
      filter.admit(hash);
      assertThat(filter.load()).isBetween(0.0, 1.0);
      assertThat(filter.estimatedFpr()).isBetween(0.0, 1.0);
    }
    assertThat(filter.load()).isEqualTo(countedLoad(filter));
  }

  static double countedLoad(DuplicateFilter filter) {
    if (filter instanceof BankedFilter banked) {
      int banks = filter.spec().get(Parameter.PARTITIONED) ? filter.spec().hashes() : 1;
      return (double) banked.banks.countOnes() / (banked.banks.bitsPerBank() * banks);
    }
    if (RecencyAccess.hasLines(filter)) {
      return RecencyAccess.countLoad(filter);
    }
    StableFilter stable = (StableFilter) filter;
    return 1 - (double) (stable.cells.count() - stable.cells.countNonZero()) / stable.cells.count();
  }

  @Property(tries = 100)
  void equal_specs_give_equal_answers_and_seeds_matter(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter first = Filters.create(spec);
    DuplicateFilter second = Filters.create(spec);
    for (long hash : hashes(1000, streamSeed)) {
      assertThat(first.admit(hash)).isEqualTo(second.admit(hash));
    }
    assertThat(first.spec()).isEqualTo(spec);
    assertThat(first.memoryBytes()).isEqualTo(spec.storageBytes());
  }

  @Property(tries = 100)
  void a_record_that_was_just_taken_in_is_a_duplicate(Choices choices) {
    FilterSpec spec = choices.draw("spec", Specs.any());
    long streamSeed = choices.draw("streamSeed", longs());
    DuplicateFilter filter = Filters.create(spec);
    for (long hash : hashes(1000, streamSeed)) {
      filter.admit(hash);
      switch (spec.kind()) {
        case RSBF, SAMPLED -> {} // do not take every record in
        default -> {
          boolean mayExpire = !spec.window().isNone() && spec.refresh() == Refresh.NEVER;
          assertThat(filter.mightContain(hash) || mayExpire).isTrue();
        }
      }
    }
  }

  /** Phase 1 of RSBF as printed lasts for exactly s records, and forgets nothing. */
  @Property(tries = 50)
  void printed_rsbf_remembers_its_first_s_records(Choices choices) {
    long streamSeed = choices.draw("streamSeed", longs());
    FilterSpec spec = FilterSpec.builder(FilterKind.RSBF, 64).hashes(1).build();
    DuplicateFilter filter = Filters.create(spec);
    SplitMix64 random = new SplitMix64(streamSeed);
    long[] hashes = new long[512]; // s: 64 bytes, one bank
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = random.next();
      filter.admit(hashes[i]);
    }
    for (long hash : hashes) {
      assertThat(filter.mightContain(hash)).isTrue();
    }
  }

  @Property(tries = 100)
  void plain_bloom_never_lets_a_duplicate_through(Choices choices) {
    long streamSeed = choices.draw("streamSeed", longs());
    boolean shared = choices.draw("shared", booleans());
    DuplicateFilter filter =
        Filters.create(
            FilterSpec.builder(FilterKind.BLOOM, 2000).set(Parameter.PARTITIONED, !shared).build());
    long[] hashes = hashes(3000, streamSeed);
    for (long hash : hashes) {
      filter.admit(hash);
    }
    for (long hash : hashes) {
      assertThat(filter.mightContain(hash)).isTrue();
    }
  }

  /**
   * Storage within the memory asked for; all else about the filter fits into four and a half
   * kibibytes, but for the tables of RECENCY, which all filters of equal rates share.
   */
  @ParameterizedTest
  @EnumSource
  void memory_is_a_hard_cap(FilterKind kind) {
    for (long memory : new long[] {64, 65, 1000, 12_345, 1 << 20, (1 << 24) + 7}) {
      DuplicateFilter filter = Filters.create(FilterSpec.of(kind, memory));
      assertThat(filter.memoryBytes()).isBetween(memory * 7 / 8 - 63, memory);
      assertThat(filter.spec().storageBytes()).isEqualTo(filter.memoryBytes());
      GraphLayout layout =
          GraphLayout.parseInstance(filter).subtract(GraphLayout.parseInstance(kind));
      if (RecencyAccess.hasLines(filter)) {
        layout = layout.subtract(GraphLayout.parseInstance(RecencyAccess.sharedTables(filter)));
      }
      assertThat(layout.getClassSizes().count(long[].class)).as("JOL saw the storage").isPositive();
      assertThat(layout.totalSize()).isBetween(filter.memoryBytes(), memory + 4608);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_that_does_not_fit_its_arrays_is_rejected_untouched(FilterKind kind) {
    DuplicateFilter filter = Filters.create(FilterSpec.of(kind, 1024));
    assertThatThrownBy(() -> filter.admitAll(new long[10], 5, 6, new long[1]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> filter.admitAll(new long[65], 0, 65, new long[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fresh (1 words)")
        .hasMessageContaining("2 words");
    assertThat(filter.load()).isZero();
  }

  /** 20 GiB has positions beyond 2^32 and words beyond 2^31: it is specified like any other. */
  @ParameterizedTest
  @EnumSource
  void twenty_gibibytes_can_be_specified(FilterKind kind) {
    FilterSpec spec = FilterSpec.of(kind, 20L << 30);
    assertThat(spec.bits()).isEqualTo(20L << 33);
    assertThatThrownBy(() -> Filters.create(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-Xmx");
  }
}
