package dev.unseen.plan;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.hash.Secret;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.StreamModel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PlannerTest {
  private static final StreamModel BILLION = StreamModel.shuffled(1e9, 6e8);
  private static final StreamModel RECENT =
      StreamModel.endless(0.5, RepeatDistances.uniformWithin(5e6));

  private static PlanOption usual(Plan plan, FilterKind kind) {
    FilterSpec usual = FilterSpec.of(kind, plan.memoryBytes());
    return plan.options().stream().filter(o -> o.spec().equals(usual)).findFirst().orElseThrow();
  }

  @Nested
  class Options {
    @Test
    void are_of_every_kind_and_have_its_usual_filter() {
      Plan plan = Planner.of(BILLION).plan(MiB(512));
      for (FilterKind kind : FilterKind.values()) {
        assertThat(usual(plan, kind).spec().kind()).isEqualTo(kind);
      }
      assertThat(plan.options()).extracting(PlanOption::spec).doesNotHaveDuplicates();
    }

    /** The first example: the published 2.08 % and 1.99 %. */
    @Test
    void tell_what_a_million_records_lose_and_pass() {
      PlanOption rlbsbf = usual(Planner.of(BILLION).plan(MiB(512)), FilterKind.RLBSBF);
      assertThat(rlbsbf.prediction().fpr()).isCloseTo(0.0208, within(0.02 * 0.0208));
      assertThat(rlbsbf.prediction().fnr()).isCloseTo(0.0199, within(0.02 * 0.0199));
      assertThat(rlbsbf.lostPerMillion())
          .isCloseTo(600_000 * rlbsbf.prediction().fpr(), within(1e-3));
      assertThat(rlbsbf.passedPerMillion())
          .isCloseTo(400_000 * rlbsbf.prediction().fnr(), within(1e-3));
    }

    @Test
    void of_an_endless_stream_count_its_share_of_repeats() {
      StreamModel stream = StreamModel.endless(0.2, RepeatDistances.uniformWithin(1e4));
      PlanOption bloom = usual(Planner.of(stream).plan(MiB(1)), FilterKind.BLOOM);
      assertThat(bloom.lostPerMillion()).isCloseTo(800_000, within(1.0)); // full for ever
      assertThat(bloom.passedPerMillion()).isZero();
    }

    @Test
    void begin_with_those_within_the_limits_and_go_on_by_errors() {
      ErrorLimits limits = new ErrorLimits(1e-3, 1);
      Plan plan = Planner.of(RECENT).limits(limits).plan(MiB(64));
      List<Boolean> met = plan.options().stream().map(o -> limits.isMetBy(o.prediction())).toList();
      assertThat(met).contains(true, false).isSortedAccordingTo(Comparator.reverseOrder());
      assertThat(plan.options().stream().filter(o -> limits.isMetBy(o.prediction())))
          .isSortedAccordingTo(Comparator.comparingDouble(PlanOption::wrongPerMillion));
    }
  }

  private record Click(String id) {}

  /** The code of docs/planner.md. */
  @Test
  void the_builder_accepts_the_recommended_filter() {
    StreamModel stream = StreamModel.shuffled(1e6, 6e5); // records, distinct keys
    FilterSpec spec = Planner.of(stream).limits(new ErrorLimits(0.01, 1)).plan(KiB(512)).spec();
    Deduplicator<Click> dedup =
        Deduplicator.builder(Keys.utf8(Click::id)).build(spec.withSecret(Secret.random()));
    assertThat(dedup.spec().kind()).isEqualTo(FilterKind.BLOOM);
    assertThat(dedup.spec().secret()).isPresent();
    assertThat(dedup.admit(new Click("a"))).isTrue();
    assertThat(dedup.admit(new Click("a"))).isFalse();
  }

  @Test
  void a_plan_without_a_filter_within_the_limits_has_no_spec() {
    Plan plan = Planner.of(BILLION).limits(new ErrorLimits(1e-6, 1e-6)).plan(MiB(1));
    assertThatThrownBy(plan::spec)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(plan.rejection().orElseThrow());
  }

  @Nested
  class Recommends {
    @Test
    void a_plain_bloom_filter_where_the_keys_fit() {
      Plan plan = Planner.of(BILLION).plan(MiB(512));
      assertThat(plan.recommendation().option().spec().kind()).isEqualTo(FilterKind.BLOOM);
      assertThat(plan.recommendation().option()).isEqualTo(plan.options().get(0));
      assertThat(plan.recommendation().exactSetBytes()).isEmpty();
      assertThat(plan.recommendation().reason())
          .isEqualTo("the keys fit, at 7.2 bits each, so nothing needs forgetting");
      assertThat(plan.rejection()).isEmpty();
    }

    @Test
    void an_exact_set_where_it_would_do() {
      StreamModel small = StreamModel.uniform(1e8, 2_621_440); // all of them come
      Recommendation enough = Planner.of(small).plan(MiB(41)).recommendation();
      assertThat(enough.exactSetBytes()).hasValue(MiB(40));
      assertThat(enough.reason())
          .startsWith("an exact set would do: 40 MiB hold all 2.62 million keys, at 16 bytes each");
      assertThat(Planner.of(small).plan(MiB(39)).recommendation().exactSetBytes()).isEmpty();
    }

    @Test
    void one_that_forgets_where_new_keys_never_end() {
      Plan plan = Planner.of(RECENT).plan(MiB(64));
      FilterSpec best = plan.recommendation().option().spec();
      assertThat(best.kind()).isEqualTo(FilterKind.RECENCY);
      assertThat(best.refresh()).isEqualTo(Refresh.ALWAYS);
      assertThat(plan.recommendation().option().wrongPerMillion()).isLessThan(100);
      assertThat(plan.recommendation().reason())
          .isEqualTo("repeats are recent, so the memory is best spent on the latest keys");
      assertThat(plan.bound()).isEmpty();
    }

    @Test
    void a_share_of_the_keys_where_they_come_round_and_do_not_fit() {
      StreamModel loop = StreamModel.loop(1.6e6, 4e5);
      ErrorLimits limits = new ErrorLimits(1e-3, 1);
      Plan plan = Planner.of(loop).limits(limits).plan(400_000);
      assertThat(plan.bound()).isEmpty();
      assertThat(plan.recommendation().option().spec().kind()).isEqualTo(FilterKind.SAMPLED);
      Plan recency = Planner.of(loop).limits(limits).only(FilterKind.RECENCY).plan(400_000);
      assertThat(recency.recommendation().reason()).startsWith("the keys come round in turn");
    }

    @Test
    void and_says_so_where_no_filter_is_worth_it() {
      StreamModel old = StreamModel.endless(0.01, RepeatDistances.uniformWithin(1e12));
      assertThat(Planner.of(old).plan(KiB(64)).recommendation().reason())
          .isEqualTo(
              "new keys never end, so a filter has to forget:"
                  + " letting all records through would get fewer wrong");
    }

    @Test
    void the_best_within_the_limits_and_says_so() {
      Plan few =
          Planner.of(BILLION).limits(new ErrorLimits(0.2, 1)).only(FilterKind.RLBSBF).plan(MiB(64));
      assertThat(few.recommendation().reason())
          .isEqualTo(
              "0.89 bits for each key are few,"
                  + " and of those within the limits rlbsbf gets the fewest records wrong");
      Plan many = Planner.of(BILLION).only(FilterKind.RLBSBF).plan(MiB(512));
      assertThat(many.recommendation().reason())
          .isEqualTo("there are 7.2 bits for each key, and rlbsbf gets the fewest records wrong");
    }

    @ParameterizedTest
    @EnumSource
    void the_best_of_one_kind_if_asked(FilterKind kind) {
      Plan plan = Planner.of(BILLION).only(kind).seed(7).plan(MiB(128));
      assertThat(plan.options()).allMatch(option -> option.spec().kind() == kind);
      assertThat(plan.recommendation().option().spec().seed()).isEqualTo(7);
      assertThat(plan.options())
          .allMatch(o -> o.wrongPerMillion() >= plan.options().get(0).wrongPerMillion());
    }
  }

  @Nested
  class Memory {
    /** Just enough is enough, a twentieth less is not, and ten times as much is. */
    @Test
    void needed_is_the_least_that_is_enough() {
      ErrorLimits limits = new ErrorLimits(1e-4, 0.01);
      List<MemoryNeed> needs = Planner.of(BILLION).limits(limits).memoryNeeded();
      assertThat(needs)
          .extracting(MemoryNeed::kind)
          .containsExactlyElementsOf(Arrays.asList(FilterKind.values()));
      for (MemoryNeed need : needs) {
        if (need.kind() == FilterKind.SAMPLED) { // has at least 5 % of false negatives
          assertThat(need.option()).isEmpty();
          continue;
        }
        PlanOption option = need.option().orElseThrow();
        long bytes = option.spec().memoryBytes();
        assertThat(limits.isMetBy(option.prediction())).isTrue();
        Planner kind = Planner.of(BILLION).limits(limits).only(need.kind());
        assertThat(kind.plan(bytes).rejection()).isEmpty();
        assertThat(kind.plan(10 * bytes).rejection()).isEmpty();
        assertThat(kind.plan((long) (0.95 * bytes)).rejection()).isPresent();
      }
    }

    /** No memory makes up for the duplicates that SAMPLED passes, but where they may pass. */
    @Test
    void of_a_sample_of_the_keys_depends_on_the_duplicates_that_may_pass() {
      Planner sampled = Planner.of(BILLION).only(FilterKind.SAMPLED);
      ErrorLimits some = new ErrorLimits(1e-4, 0.06);
      PlanOption enough = sampled.limits(some).memoryNeeded().get(0).option().orElseThrow();
      long bytes = enough.spec().memoryBytes();
      assertThat(enough.spec().get(Parameter.SHARE)).isIn(0.98, 0.95);
      assertThat(sampled.limits(some).plan(bytes).rejection()).isEmpty();
      assertThat(sampled.limits(some).plan((long) (0.95 * bytes)).rejection()).isPresent();
      ErrorLimits few = new ErrorLimits(1e-4, 0.015);
      assertThat(sampled.limits(few).memoryNeeded().get(0).option()).isEmpty();
    }

    /**
     * A Bloom filter without limits on its k would need log2(1/e)/ln 2 bits of a key at the end.
     */
    @Test
    void of_a_bloom_filter_agrees_with_its_formula() {
      StreamModel distinct = StreamModel.shuffled(1e8, 1e8);
      MemoryNeed need =
          Planner.of(distinct).limits(new ErrorLimits(0.001, 0)).memoryNeeded().stream()
              .filter(n -> n.kind() == FilterKind.BLOOM)
              .findFirst()
              .orElseThrow();
      double bitsPerKey = 8e-8 * need.option().orElseThrow().spec().memoryBytes();
      assertThat(bitsPerKey).isBetween(10.0, 14.4); // the average along the stream is less
    }

    @Test
    void is_never_enough_for_one_that_fills_up() {
      ErrorLimits limits = new ErrorLimits(0.2, 0.1);
      for (MemoryNeed need : Planner.of(RECENT).limits(limits).memoryNeeded()) {
        boolean fillsUp = need.kind() == FilterKind.BLOOM || need.kind() == FilterKind.BSBFSD;
        if (fillsUp) {
          assertThat(need.option()).isEmpty();
        }
      }
      assertThat(
              Planner.of(RECENT).limits(limits).only(FilterKind.SBF).memoryNeeded().get(0).option())
          .isPresent();
    }
  }

  @Nested
  class Wishes {
    @Test
    void that_nothing_can_meet_are_told_with_the_nearest_possible() {
      Plan plan = Planner.of(BILLION).limits(new ErrorLimits(0.001, 0.001)).plan(MiB(512));
      assertThat(plan.rejection().orElseThrow())
          .startsWith(
              "an FPR of 0.1 % and an FNR of 0.1 % need at least 9.94 bits per key; 512 MiB hold 432 million"
                  + " keys at that, and 600 million are expected; nearest: bloom k=6, 512 MiB with"
                  + " an FPR of 0.651 % and an FNR of 0 %; bloom k=")
          .endsWith(" MiB on");
      assertThat(plan.recommendation().option().spec().kind()).isEqualTo(FilterKind.BLOOM);
    }

    /** 0.2 % lies between the bound, 0.10 %, and the best filter, 0.65 %. */
    @Test
    void that_only_our_filters_cannot_meet_are_not_called_impossible() {
      Plan plan = Planner.of(BILLION).limits(new ErrorLimits(0.002, 1e-4)).plan(MiB(512));
      assertThat(plan.rejection().orElseThrow())
          .startsWith(
              "no filter of 512 MiB reaches an FPR of 0.2 % and an FNR of 0.01 %; nearest: bloom");
    }

    @Test
    void that_no_memory_meets_are_told_as_such() {
      Plan plan =
          Planner.of(RECENT).only(FilterKind.BLOOM).limits(new ErrorLimits(0.5, 1)).plan(MiB(1));
      assertThat(plan.rejection().orElseThrow())
          .startsWith("no filter of 1 MiB reaches an FPR of 50 %; nearest: bloom ")
          .endsWith("with an FPR of 100 % and an FNR of 0 %; nor does more memory help");
    }

    @Test
    void that_are_no_rates_are_rejected() {
      assertThatThrownBy(() -> new ErrorLimits(0, 0.1))
          .hasMessage("max FPR (0.0) must be above 0 and at most 1, such as 1e-4");
      assertThatThrownBy(() -> new ErrorLimits(0.1, -1))
          .hasMessage("max FNR (-1.0) must be 0 to 1, such as 0.01");
      assertThatThrownBy(() -> new ErrorLimits(Double.NaN, 1))
          .hasMessageStartingWith("max FPR (NaN)");
    }
  }

  @Nested
  class Bound {
    @Test
    void ends_where_there_are_no_false_negatives() {
      BoundCurve curve = BoundCurve.of(BILLION, MiB(512));
      assertThat(curve.withoutFalseNegatives().fpr()).isCloseTo(0.00104, within(1e-5));
      List<BoundCurve.Point> points = curve.points(20);
      assertThat(points).isSortedAccordingTo(Comparator.comparingDouble(BoundCurve.Point::fpr));
      assertThat(points)
          .isSortedAccordingTo(Comparator.comparingDouble(BoundCurve.Point::fnr).reversed());
    }

    /** If all keys come first, in no time, the average is the bound itself. */
    @Test
    void is_the_formula_where_the_keys_do_not_grow_in_number() {
      StreamModel known = StreamModel.uniform(1e12, 1e6);
      BoundCurve curve = BoundCurve.of(known, 1_000_000); // 8 bits per key, from the start on
      assertThat(curve.allows(new ErrorLimits(1, InformationBound.leastFnr(8, 0.001) * 1.05)))
          .isTrue();
    }

    @Test
    void is_beaten_by_no_option() {
      for (long memory : new long[] {MiB(8), MiB(64), MiB(512), GiB(2)}) {
        Plan plan = Planner.of(BILLION).plan(memory);
        List<BoundCurve.Point> points = plan.bound().orElseThrow().points(60);
        for (PlanOption option : plan.options()) {
          assertThat(points)
              .as(option.describe())
              .noneMatch(
                  p ->
                      option.prediction().fpr() < 0.99 * p.fpr()
                          && option.prediction().fnr() < 0.99 * p.fnr() - 1e-12);
        }
      }
    }

    @Test
    void allows_what_lies_above_it_only() {
      BoundCurve curve = BoundCurve.of(BILLION, MiB(512));
      for (BoundCurve.Point p : curve.points(9).subList(0, 8)) {
        if (p.fnr() > 1e-3) {
          assertThat(curve.allows(new ErrorLimits(1.1 * p.fpr(), 1.1 * p.fnr()))).isTrue();
          assertThat(curve.allows(new ErrorLimits(0.9 * p.fpr(), 0.9 * p.fnr()))).isFalse();
        }
      }
      assertThat(curve.allows(new ErrorLimits(0.0011, 0))).isTrue();
      assertThat(curve.allows(new ErrorLimits(0.0010, 0))).isFalse();
    }

    @Test
    void is_not_known_where_order_matters() {
      assertThat(BoundCurve.appliesTo(RECENT)).isFalse();
      assertThatThrownBy(() -> BoundCurve.of(RECENT, MiB(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
