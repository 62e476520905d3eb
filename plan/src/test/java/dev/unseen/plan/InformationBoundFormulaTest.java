package dev.unseen.plan;

import static dev.unseen.testing.Generators.doubles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import org.junit.jupiter.api.Test;

final class InformationBoundFormulaTest {
  @Test
  void needs_the_known_bits() {
    assertThat(InformationBound.bitsPerKey(1.0 / 1024, 0)).isCloseTo(10, within(1e-12));
    assertThat(InformationBound.bitsPerKey(0.001, 0.001)).isCloseTo(9.9444, within(1e-4));
    assertThat(InformationBound.bitsPerKey(0.4, 0.7)).isZero(); // worse than guessing
    assertThat(InformationBound.leastFpr(10)).isCloseTo(1.0 / 1024, within(1e-12));
  }

  @Property
  void the_least_fnr_needs_just_the_bits_there_are(Choices choices) {
    double bits = choices.draw("bits", doubles(0.01, 20));
    double fpr = choices.draw("fpr", doubles(1e-6, 0.9));
    double fnr = InformationBound.leastFnr(bits, fpr);
    double needed = InformationBound.bitsPerKey(fpr, fnr);
    if (fnr == 0) {
      assertThat(needed).isLessThanOrEqualTo(bits);
    } else {
      assertThat(needed).isCloseTo(Math.min(bits, needed), within(1e-9));
      assertThat(InformationBound.bitsPerKey(fpr, fnr * 0.999)).isGreaterThan(bits - 1e-9);
    }
  }

  /** PAPER: 1B records, 60 % distinct, 512 MB: 0.10 % at FNR 0. */
  @Test
  void averages_along_a_growing_stream() {
    assertThat(InformationBound.leastAverageFpr(512.0 * (1 << 23), 6e8))
        .isCloseTo(0.0010, within(5e-5));
  }
}
