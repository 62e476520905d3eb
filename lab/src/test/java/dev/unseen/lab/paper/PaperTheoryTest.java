package dev.unseen.lab.paper;

import static dev.unseen.testing.Generators.doubles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
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

  /** The two differ by the order of 1/s, here 1/8192 to 1/1024. */
  @ParameterizedTest
  @EnumSource(names = {"RSBF", "BSBF", "BSBFSD", "RLBSBF"})
  void the_differential_equation_follows_the_recurrence(FilterKind kind) {
    for (int k : new int[] {1, 2, 3, 8}) {
      PaperTheory theory = theory(kind, k, 1024);
      for (int m : new int[] {0, 1, 500, 3_000, 8_000, 20_000, 70_000, 400_000}) {
        assertThat(theory.continuous(m))
            .as("k=%d m=%d", k, m)
            .isCloseTo(theory.stepped(m), within(3e-4));
      }
    }
  }

  /** Section 4.1: X_1 = 0 and X_2 = 1/s^k. Then by hand. */
  @Test
  void begins_as_the_paper_says() {
    double s = 256;
    PaperTheory theory = theory(FilterKind.BSBF, 2, 64);
    assertThat(theory.x(0)).isZero();
    assertThat(theory.x(1)).isCloseTo(1 / (s * s), within(1e-18));
    double x2 = 1 / (s * s);
    double x3 = (x2 + (1 - x2) * (1 - 1 / s)) / s + (1 - x2) / s;
    assertThat(theory.x(2)).isCloseTo(x3 * x3, within(1e-18));
  }

  /** Section 3.2: while all is inserted, a bit is 1 with chance 1 - (1 - 1/s)^m. */
  @Test
  void fills_in_the_first_phase_of_rsbf_as_a_bloom_filter_does() {
    PaperTheory theory = theory(FilterKind.RSBF, 1, 1024);
    assertThat(theory.stepped(5000)).isCloseTo(1 - Math.pow(1 - 1 / 8192.0, 5000), within(1e-12));
    assertThat(theory.continuous(5000)).isCloseTo(theory.stepped(5000), within(1e-12));
  }

  /** In phase 2 a bit moves by 1/m, in phase 3, from p = s/p* on, by 1/s again. */
  @Test
  void rsbf_slows_down_and_speeds_up_again() {
    double s = 8192;
    PaperTheory theory = theory(FilterKind.RSBF, 1, 1024);
    double p = s / 0.03;
    double before = theory.continuous(p * 0.999) - theory.continuous(p * 0.998);
    double after = theory.continuous(p * 1.002) - theory.continuous(p * 1.001);
    assertThat(after / before).isCloseTo(1 / 0.03, within(1.0));
  }

  @ParameterizedTest
  @EnumSource(names = {"RSBF", "BSBF", "BSBFSD", "RLBSBF"})
  void its_x_grows_to_one(FilterKind kind) {
    PaperTheory theory = theory(kind, 2, 1 << 20);
    double before = 0;
    for (double m = 1e5; m <= 1e15; m *= 10) {
      assertThat(theory.x(m)).isBetween(before, 1.0);
      before = theory.x(m);
    }
    assertThat(theory.x(1e15)).isCloseTo(1, within(1e-6));
  }

  /** BSBF: (1 - p) = p (1 - p^2), the golden ratio; RLBSBF: p^2 (1 + p) = 1. */
  @ParameterizedTest
  @CsvSource({"BSBF, 0.618", "RLBSBF, 0.755"})
  void its_x_grows_to_one_where_our_model_settles_below(FilterKind kind, double load) {
    FilterSpec spec = FilterSpec.builder(kind, 1 << 20).hashes(2).build();
    StreamModel newKeys = StreamModel.endless(0, RepeatDistances.uniformWithin(1));
    assertThat(Predictions.of(spec, newKeys).finalLoad()).isCloseTo(load, within(5e-4));
    assertThat(PaperTheory.of(spec).x(1e13)).isGreaterThan(0.999);
  }

  @Property
  void its_four_chances_are_all_there_are(Choices choices) {
    double x = choices.draw("x", doubles(0, 1));
    double y = choices.draw("y", doubles(0, 1));
    PaperMoment moment = new PaperMoment(x, y);
    double sum = moment.fpr() + moment.fnr() + moment.dup() + moment.dis();
    assertThat(sum).isCloseTo(1, within(1e-12));
    assertThat(moment.fpr() + moment.dis()).isCloseTo(y, within(1e-12));
    assertThat(moment.fpr() + moment.dup()).isCloseTo(x, within(1e-12));
  }

  @Test
  void joins_x_with_the_chance_of_a_distinct_element() {
    PaperMoment moment = theory(FilterKind.RLBSBF, 2, 1 << 20).at(1e6, 1e6);
    assertThat(moment.y()).isCloseTo(1 / Math.E, within(1e-6));
    assertThat(moment.x()).isEqualTo(theory(FilterKind.RLBSBF, 2, 1 << 20).x(1e6));
  }

  @Test
  void gives_the_earlier_equation_of_rsbf() {
    // Y (1 - ks/m + ((1 - 1/e) s/m)^k) with ks/m = 0.2
    double fpr = PaperTheory.reservoirFprWithoutThreshold(1e6, 1e6, 1e5, 2);
    assertThat(fpr).isCloseTo((0.8 + Math.pow(0.0632121, 2)) / Math.E, within(1e-6));
  }

  /** K = 2, P = 4, one bit: (1 - 1/(1 + 1/2))^2 = 1/9. */
  @Test
  void has_the_stable_point_of_sbf() {
    FilterSpec spec = FilterSpec.of(FilterKind.SBF, 1 << 20);
    assertThat(PaperTheory.stablePoint(spec)).isCloseTo(1.0 / 9, within(1e-6));
    FilterSpec larger =
        FilterSpec.builder(FilterKind.SBF, 1 << 20).hashes(3).set(Parameter.CELL_BITS, 3).build();
    assertThat(PaperTheory.stablePoint(larger)).isCloseTo(0.1, within(0.002)); // its target
  }

  @Test
  void rejects_what_the_paper_does_not_treat() {
    assertThatThrownBy(() -> theory(FilterKind.BLOOM, 2, 64))
        .hasMessage(
            "kind 'bloom' has no recurrence in the paper; choose one of:"
                + " rsbf, bsbf, bsbfsd, rlbsbf");
    assertThatThrownBy(() -> PaperTheory.stablePoint(FilterSpec.of(FilterKind.BSBF, 64)))
        .hasMessage("kind 'bsbf' has no stable point; only sbf has one");
    assertThatThrownBy(() -> theory(FilterKind.BSBF, 2, 64).x(-1))
        .hasMessage("m (-1.0) must be 0 to 1e18");
  }
}
