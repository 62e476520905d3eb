package dev.unseen.plan.predict;

import static dev.unseen.testing.Generators.doubles;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.plan.InformationBound;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.RepeatSample;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

final class MeanFieldModelTest {
  private static final StreamModel NEW_KEYS_FOR_EVER =
      StreamModel.endless(0, RepeatDistances.uniformWithin(1));

  private static FilterSpec spec(FilterKind kind, long bytes, int k) {
    return FilterSpec.builder(kind, bytes).hashes(Math.min(k, kind.maxHashes())).build();
  }

  /** BSBF: (1 - p) = p (1 - p^2), the golden ratio. The paper's X goes to 1 meanwhile. */
  @Test
  void the_load_of_bsbf_settles_where_the_paper_has_it_grow_to_one() {
    FilterSpec spec = spec(FilterKind.BSBF, 1 << 20, 2);
    Prediction prediction = MeanFieldModel.predict(spec, NEW_KEYS_FOR_EVER);
    assertThat(prediction.finalLoad()).isCloseTo((Math.sqrt(5) - 1) / 2, within(1e-7));
    assertThat(prediction.fpr()).isCloseTo(0.382, within(1e-3));
  }

  /** RLBSBF: (1 - p) = p^2 (1 - p^2), that is p^2 (1 + p) = 1. */
  @Test
  void the_load_of_rlbsbf_settles_where_the_paper_has_it_grow_to_one() {
    FilterSpec spec = spec(FilterKind.RLBSBF, 1 << 20, 2);
    Prediction prediction = MeanFieldModel.predict(spec, NEW_KEYS_FOR_EVER);
    double p = prediction.finalLoad();
    assertThat(p).isCloseTo(0.755, within(5e-4));
    assertThat(p * p * (1 + p)).isCloseTo(1, within(1e-6));
  }

  /** Here the paper is right: 1 - p = p (1 - p^k)/k has no solution below 1. */
  @Test
  void bsbfsd_does_fill_up() {
    for (int k : new int[] {1, 2, 8}) {
      Prediction prediction =
          MeanFieldModel.predict(spec(FilterKind.BSBFSD, 1 << 20, k), NEW_KEYS_FOR_EVER);
      assertThat(prediction.finalLoad()).isBetween(0.99999, 1.0);
    }
  }

  /** Deng and Rafiei 2006, theorem 2: (1 - (1/(1 + 1/(P (1/K - 1/m))))^Max)^K. */
  private static double stablePoint(FilterSpec spec) {
    double cells = 8.0 * spec.memoryBytes() / spec.get(Parameter.CELL_BITS);
    double perHash = spec.get(Parameter.DECREMENTS) * (1.0 / spec.hashes() - 1 / cells);
    int max = (1 << spec.get(Parameter.CELL_BITS)) - 1;
    return Math.pow(1 - Math.pow(1 / (1 + 1 / perHash), max), spec.hashes());
  }

  @Test
  void sbf_settles_at_its_stable_point() {
    for (int cellBits = 1; cellBits <= 4; cellBits++) {
      FilterSpec spec =
          FilterSpec.builder(FilterKind.SBF, 1 << 20).set(Parameter.CELL_BITS, cellBits).build();
      double fpr = MeanFieldModel.predict(spec, NEW_KEYS_FOR_EVER).fpr();
      assertThat(fpr).isCloseTo(stablePoint(spec), within(2e-3));
    }
  }

  /** A plain Bloom filter has a formula: 1 - p = e^(-D/s). */
  @Test
  void a_bloom_filter_fills_by_its_formula() {
    FilterSpec spec = spec(FilterKind.BLOOM, 1 << 20, 4);
    StreamModel stream = StreamModel.shuffled(3e6, 2e6);
    double sum = 0;
    int steps = 100_000;
    for (int i = 0; i < steps; i++) {
      double keys = 2e6 * (i + 0.5) / steps;
      sum += Math.pow(-Math.expm1(-keys / (1 << 21)), 4) / steps;
    }
    Prediction prediction = MeanFieldModel.predict(spec, stream);
    assertThat(prediction.fpr()).isCloseTo(sum, within(1e-3 * sum));
    assertThat(prediction.finalLoad()).isCloseTo(-Math.expm1(-2e6 / (1 << 21)), within(1e-12));
  }

  /** All fits in many times over: resets may only hit what is not there. */
  @Test
  void what_fits_many_times_over_is_hardly_ever_forgotten() {
    StreamModel stream = StreamModel.uniform(1e9, 1e4);
    Prediction bsbf = MeanFieldModel.predict(spec(FilterKind.BSBF, 64 << 20, 2), stream);
    assertThat(bsbf.fnr()).isBetween(1e-11, 1e-8);
    assertThat(bsbf.fpr()).isLessThan(1e-8);
  }

  /** Recent repeats are remembered, old ones not: the first filter holds some 500,000 keys. */
  @Test
  void recent_repeats_are_found_and_old_ones_missed() {
    FilterSpec spec = spec(FilterKind.RLBSBF, 1 << 20, 8);
    StreamModel recent = StreamModel.endless(0.3, RepeatDistances.uniformWithin(1e4));
    StreamModel old = StreamModel.endless(0.3, RepeatDistances.uniformWithin(1e8));
    assertThat(MeanFieldModel.predict(spec, recent).fnr()).isLessThan(0.05);
    assertThat(MeanFieldModel.predict(spec, old).fnr()).isGreaterThan(0.9);
  }

  @Property(tries = 300)
  void rates_are_rates(Choices choices) {
    FilterKind kind = choices.draw("kind", oneOf(FilterKind.values()));
    long bytes = choices.draw("bytes", longs(64, 1L << 36));
    int k = choices.draw("k", ints(1, 16));
    double records = choices.draw("records", doubles(1, 1e10));
    double share = choices.draw("share", doubles(0, 1));
    int model = choices.draw("model", ints(0, 3));
    double keys = Math.max(1, share * records);
    StreamModel stream =
        switch (model) {
          case 0 -> StreamModel.shuffled(records, keys);
          case 1 -> StreamModel.uniform(records, keys);
          case 2 -> StreamModel.recent(records, 0.99 * share, RepeatDistances.halfLife(records));
          default -> StreamModel.endless(0.99 * share, RepeatDistances.uniformWithin(records));
        };
    Prediction prediction = Predictions.of(spec(kind, bytes, k), stream);
    assertRates(prediction);
    if (kind == FilterKind.BLOOM) {
      assertThat(prediction.fnr()).isZero();
    }
  }

  /** Any sample will do, down to one record, and any filter, however small for it. */
  @Property(tries = 300)
  void rates_of_a_sample_are_rates(Choices choices) {
    FilterKind kind = choices.draw("kind", oneOf(FilterKind.values()));
    long bytes = choices.draw("bytes", longs(64, 1L << 16));
    int k = choices.draw("k", ints(1, 16));
    List<Integer> keys = choices.draw("keys", lists(ints(0, 200), 1, 3000));
    RepeatSample sample = new RepeatSample();
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Integer before = last.put(keys.get(i), i);
      if (before == null) {
        sample.first();
      } else {
        sample.repeat(i - before);
      }
    }
    Prediction prediction = Predictions.of(spec(kind, bytes, k), sample.model());
    assertRates(prediction);
  }

  private static void assertRates(Prediction prediction) {
    assertThat(prediction.fpr()).isBetween(0.0, 1.0);
    assertThat(prediction.fnr()).isBetween(0.0, 1.0);
    assertThat(prediction.finalFpr()).isBetween(0.0, 1.0);
    assertThat(prediction.finalFnr()).isBetween(0.0, 1.0);
    assertThat(prediction.finalLoad()).isBetween(0.0, 1.0);
  }

  /** Which resets a bit for each bit it sets, from s / 0.03 records on. */
  @Test
  void the_third_phase_of_rsbf_keeps_the_load() {
    double s = 8 << 16;
    double[] loads =
        DoubleStream.of(34, 40, 50, 70, 100, 140, 200)
            .map(
                perBit -> {
                  StreamModel stream =
                      StreamModel.recent(perBit * s, 0.4, RepeatDistances.uniformWithin(s));
                  return MeanFieldModel.predict(spec(FilterKind.RSBF, 1 << 16, 1), stream)
                      .finalLoad();
                })
            .toArray();
    for (double load : loads) {
      assertThat(load).isCloseTo(loads[0], within(0.003));
    }
  }

  /**
   * Fewer records are lost in more memory. Not so for FNR: a full BSBFSD forgets little. Nor for
   * RSBF as printed, whose load stays for ever what phase 2 left, in any memory about the same.
   */
  @Property(tries = 200)
  void more_memory_has_fewer_false_positives(Choices choices) {
    FilterKind[] kinds =
        EnumSet.complementOf(EnumSet.of(FilterKind.RSBF)).toArray(FilterKind[]::new);
    FilterKind kind = choices.draw("kind", oneOf(kinds));
    long bytes = choices.draw("bytes", longs(1 << 16, 1L << 30));
    int k = choices.draw("k", ints(1, 16));
    double share = choices.draw("share", doubles(0.05, 1));
    double more = choices.draw("more", doubles(1.2, 8));
    StreamModel stream = StreamModel.shuffled(1e9, share * 1e9);
    Prediction less = Predictions.of(spec(kind, bytes, k), stream);
    Prediction larger = Predictions.of(spec(kind, (long) (more * bytes), k), stream);
    assertThat(larger.fpr()).isLessThanOrEqualTo(less.fpr() * 1.001);
    if (kind == FilterKind.SBF) {
      assertThat(larger.fnr()).isLessThanOrEqualTo(less.fnr() * 1.001);
    }
  }

  @Property(tries = 200)
  void a_bloom_filter_does_not_beat_the_information_bound(Choices choices) {
    long bytes = choices.draw("bytes", longs(1 << 16, 1L << 31));
    int k = choices.draw("k", ints(1, 16));
    double share = choices.draw("share", doubles(0.05, 1));
    double keys = share * 1e9;
    Prediction prediction =
        MeanFieldModel.predict(spec(FilterKind.BLOOM, bytes, k), StreamModel.shuffled(1e9, keys));
    assertThat(prediction.fpr())
        .isGreaterThan(InformationBound.leastAverageFpr(8.0 * bytes, keys) * 0.999);
  }
}
