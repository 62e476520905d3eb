package dev.unseen.lab.paper;

import static dev.unseen.testing.Generators.doubles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.lab.trial.Tally;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class PaperTheoryTest {
  private static PaperTheory theory(FilterKind kind, int k, long bytes) {
    return PaperTheory.of(FilterSpec.builder(kind, bytes).hashes(k).build());
  }

  /**
   * The sums of section 3.2, and those of the other sections, term by term: the chance that element
   * l set the bit, times the products NR of the chances that no later one reset it.
   */
  @ParameterizedTest
  @EnumSource(names = {"RSBF", "BSBF", "BSBFSD", "RLBSBF"})
  void follows_the_sums_of_the_paper(FilterKind kind) {
    int s = 256;
    int k = 2;
    int p = kind == FilterKind.RSBF ? 2560 : 0; // s/p*, with p* = 0.1
    int first = kind == FilterKind.RSBF ? s : 0;
    FilterSpec.Builder spec = FilterSpec.builder(kind, 64).hashes(k);
    if (kind == FilterKind.RSBF) {
      spec.set(Parameter.THRESHOLD, 0.1);
    }
    PaperTheory theory = PaperTheory.of(spec.build());
    double[] x = new double[4002]; // X_1 to X_4001
    for (int m = first; m <= 4000; m++) {
      double[] sums = new double[3];
      double kept = 1; // NR from l + 1 to m
      for (int l = m; l > first; l--) {
        double a = l <= p ? 1.0 / l : 1.0 / s;
        sums[kind != FilterKind.RSBF ? 0 : l <= p ? 1 : 2] += (1 - x[l]) * a * kept;
        double r =
            switch (kind) {
              case BSBFSD -> a / k;
              case RLBSBF -> Math.sqrt(x[l]) / s;
              default -> a;
            };
        kept *= x[l] + (1 - x[l]) * (1 - r);
      }
      sums[0] += (1 - Math.pow(1 - 1.0 / s, first)) * kept;
      x[m + 1] = Math.pow(sums[0] + sums[1] + sums[2], k);
      theory.after(m);
      assertThat(theory.x()).as("m=%d", m).isCloseTo(x[m + 1], within(1e-12));
      for (int phase = 0; phase < 3; phase++) {
        assertThat(theory.sums().get(phase)).isCloseTo(sums[phase], within(1e-12));
      }
    }
  }

  /** Section 4.1: X_1 = 0 and X_2 = 1/s^k. Then by hand. */
  @Test
  void begins_as_the_paper_says() {
    double s = 256;
    PaperTheory theory = theory(FilterKind.BSBF, 2, 64);
    assertThat(theory.x()).isZero();
    assertThat(theory.after(1).x()).isCloseTo(1 / (s * s), within(1e-18));
    double x2 = 1 / (s * s);
    double x3 = (x2 + (1 - x2) * (1 - 1 / s)) / s + (1 - x2) / s;
    assertThat(theory.after(2).x()).isCloseTo(x3 * x3, within(1e-18));
  }

  /** Section 3.2: while all is inserted, a bit is 1 with chance 1 - (1 - 1/s)^m. */
  @Test
  void fills_in_the_first_phase_of_rsbf_as_a_bloom_filter_does() {
    PaperTheory theory = theory(FilterKind.RSBF, 1, 1024).after(5000);
    assertThat(theory.x()).isCloseTo(1 - Math.pow(1 - 1 / 8192.0, 5000), within(1e-12));
  }

  /** In phase 2 a bit moves by 1/m, in phase 3, from p = s/p* on, by 1/s again. */
  @Test
  void rsbf_slows_down_and_speeds_up_again() {
    long p = (long) (8192 / 0.03);
    PaperTheory theory = theory(FilterKind.RSBF, 1, 1024);
    double before = -theory.after(p - 100).x() + theory.after(p).x();
    double after = -theory.x() + theory.after(p + 100).x();
    assertThat(after / before).isCloseTo(1 / 0.03, within(1.0));
  }

  @ParameterizedTest
  @EnumSource(names = {"RSBF", "BSBF", "BSBFSD", "RLBSBF"})
  void its_x_never_falls_and_grows_to_one(FilterKind kind) {
    PaperTheory theory = theory(kind, 2, 128);
    double before = 0;
    for (long m = 1; m <= 1_000_000; m++) {
      assertThat(theory.after(m).x()).isBetween(before, 1 + 1e-12);
      before = theory.x();
    }
    assertThat(before).isCloseTo(1, within(1e-3));
  }

  /** BSBF: (1 - p) = p (1 - p^2), the golden ratio; RLBSBF: p^2 (1 + p) = 1. */
  @ParameterizedTest
  @CsvSource({"BSBF, 0.618", "RLBSBF, 0.755"})
  void its_x_grows_to_one_where_our_model_settles_below(FilterKind kind, double load) {
    FilterSpec spec = FilterSpec.builder(kind, 1 << 20).hashes(2).build();
    FilterSpec small = FilterSpec.builder(kind, 128).hashes(2).build();
    StreamModel newKeys = StreamModel.endless(0, RepeatDistances.uniformWithin(1));
    assertThat(Predictions.of(spec, newKeys).finalLoad()).isCloseTo(load, within(5e-4));
    assertThat(PaperTheory.of(small).after(1_000_000).x()).isGreaterThan(0.999);
  }

  @Property
  void its_four_chances_are_all_there_are(Choices choices) {
    double x = choices.draw("x", doubles(0, 1));
    double y = choices.draw("y", doubles(0, 1));
    PaperMoment moment = PaperMoment.derived(x, y);
    double sum = moment.fpr() + moment.fnr() + moment.dup() + moment.dis();
    assertThat(sum).isCloseTo(1, within(1e-12));
    assertThat(moment.fpr() + moment.dis()).isCloseTo(y, within(1e-12));
    assertThat(moment.fpr() + moment.dup()).isCloseTo(x, within(1e-12));
  }

  /** Of 10 records 6 are distinct; 2 of these and 3 of the 4 duplicates are reported duplicate. */
  @Test
  void its_measured_chances_are_shares_of_all_records() {
    PaperMoment moment = PaperMoment.measured(new Tally(10, 6, 2, 1, 0));
    assertThat(moment).isEqualTo(new PaperMoment(0.5, 0.6, 0.2, 0.1));
    assertThat(moment.dup()).isCloseTo(0.3, within(1e-12));
    assertThat(moment.dis()).isCloseTo(0.4, within(1e-12));
  }

  @Test
  void joins_x_with_the_chance_of_a_distinct_element() {
    PaperTheory theory = theory(FilterKind.RLBSBF, 2, 1024).after(1000);
    assertThat(theory.moment(1000).y()).isCloseTo(1 / Math.E, within(1e-3));
    assertThat(theory.moment(1000).x()).isEqualTo(theory.x());
  }

  @Test
  void gives_the_earlier_equation_of_rsbf() {
    // Y (1 - ks/m + ((1 - 1/e) s/m)^k) with ks/m = 0.2
    double fpr = PaperTheory.reservoirFprWithoutThreshold(1e6, 1e6, 1e5, 2);
    assertThat(fpr).isCloseTo((0.8 + Math.pow(0.0632121, 2)) / Math.E, within(1e-6));
  }

  @Test
  void rejects_what_the_paper_does_not_treat() {
    assertThatThrownBy(() -> theory(FilterKind.BLOOM, 2, 64))
        .hasMessage(
            "kind 'bloom' has no recurrence in the paper; choose one of:"
                + " rsbf, bsbf, bsbfsd, rlbsbf");
    assertThatThrownBy(() -> theory(FilterKind.BSBF, 2, 64).after(5).after(4))
        .hasMessage("elements (4) must be at least 5, which have passed");
  }
}
