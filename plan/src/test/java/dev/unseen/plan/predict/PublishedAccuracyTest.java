package dev.unseen.plan.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model against all 330 published figures, at full size and without fitting. The goal is a
 * median deviation of 1 % and a worst of 3 % over the rates above 0.1 %; what it reached is pinned.
 *
 * <p>The worst are false negatives of BSBFSD at 8 MB: 1.7 % too high. Finer steps bring them to 1.3
 * %, and the filter itself, run at 1/100 of the size, is 1.0 % above the published figure.
 */
final class PublishedAccuracyTest {
  private static final double RARE = 0.001;

  /** RSBF as measured stores record t with chance s/t, and resets a bit whenever it does. */
  private static final ResetRule RESERVOIR_MEASURED =
      new ResetRule(false, false, false, (law, t, state) -> Math.min(1, law.bankBits() / t));

  private record Cell(FilterKind kind, FilterLaw law, StreamModel stream, double fpr, double fnr) {
    static Cell parse(String line) {
      String[] f = line.split(",", -1);
      double records = f[1].equals("1B") ? 1e9 : 695e6;
      double distinct = records * Integer.parseInt(f[2]) / 100;
      int memoryMb = Integer.parseInt(f[3]);
      int k = Integer.parseInt(f[5]);
      FilterKind kind = FilterKind.valueOf(f[4]);
      FilterSpec spec = FilterSpec.builder(kind, (long) memoryMb << 20).hashes(k).build();
      ResetRule rule =
          kind == FilterKind.RSBF
              ? RESERVOIR_MEASURED
              : KindProfile.of(kind).resets().orElseThrow();
      // 2^32 positions, of which the random numbers of that time reached the lower 2^31.
      boolean beyond31Bits = memoryMb == 512 && (kind == FilterKind.SBF || k == 1);
      return new Cell(
          kind,
          new FilterLaw(spec, rule, beyond31Bits ? 0.5 : 1),
          StreamModel.shuffled(records, distinct),
          Double.parseDouble(f[6]) / 100,
          Double.parseDouble(f[7]) / 100);
    }

    void addDeviations(List<Double> deviations) {
      Prediction prediction = MeanFieldModel.predict(law, stream);
      if (fpr > RARE) {
        deviations.add(Math.abs(prediction.fpr() / fpr - 1));
      }
      if (fnr > RARE) {
        deviations.add(Math.abs(prediction.fnr() / fnr - 1));
      }
    }
  }

  private static List<Cell> cells() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                PublishedAccuracyTest.class.getResourceAsStream("/published.csv"),
                StandardCharsets.UTF_8))) {
      return lines.lines().skip(1).map(Cell::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // kind, rates above 0.1 %, median and worst deviation in percent
    "BSBF,   77, 0.05, 1.05",
    "BSBFSD, 77, 0.07, 1.65",
    "RLBSBF, 75, 0.08, 1.01",
    "SBF,    47, 0.04, 0.35",
    "RSBF,   47, 0.04, 0.26", // as measured
  })
  void predicts_the_published_rates(FilterKind kind, int rates, double median, double worst) {
    List<Double> deviations = new ArrayList<>();
    for (Cell cell : cells()) {
      if (cell.kind() == kind) {
        cell.addDeviations(deviations);
      }
    }
    Collections.sort(deviations);
    assertThat(deviations).hasSize(rates);
    assertThat(100 * deviations.get(rates / 2)).as("median").isCloseTo(median, within(0.01));
    assertThat(100 * deviations.get(rates - 1)).as("worst").isCloseTo(worst, within(0.01));
  }

  /** 1B records, 60 % distinct, 512 MB: the planner's first example. */
  @Test
  void predicts_the_row_of_the_example() {
    FilterSpec spec = FilterSpec.of(FilterKind.RLBSBF, 512 << 20);
    Prediction prediction = MeanFieldModel.predict(spec, StreamModel.shuffled(1e9, 6e8));
    assertThat(prediction.fpr()).isCloseTo(0.020788, within(0.01 * 0.0208));
    assertThat(prediction.fnr()).isCloseTo(0.019897, within(0.01 * 0.0199));
  }

  @Test
  void predicts_for_all_kinds_and_k() {
    EnumSet<FilterKind> kinds = EnumSet.allOf(FilterKind.class);
    kinds.removeAll(EnumSet.of(FilterKind.RECENCY, FilterKind.SAMPLED)); // have their own models
    for (FilterKind kind : kinds) {
      for (int k = 1; k <= 16; k++) {
        FilterSpec spec = FilterSpec.builder(kind, 512 << 20).hashes(k).build();
        Prediction prediction = MeanFieldModel.predict(spec, StreamModel.shuffled(1e9, 6e8));
        assertThat(prediction.fpr()).isBetween(1e-6, 0.2);
        assertThat(prediction.fnr()).isBetween(0.0, 1.0);
      }
    }
  }
}
