package dev.unseen.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.lab.trial.SyntheticTrial;
import dev.unseen.lab.trial.Tally;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All 165 cells of the nine published tables, both rates of each, at 1/1000 of their size.
 *
 * <p>A rate may differ from the published one by 2 % of it, which is what the tables' own streams
 * and random numbers are good for, and by five standard errors of our count of events; the
 * published runs are a thousand times larger, so ours is the noise that counts. The odds that a
 * right filter fails somewhere, with another seed than the one here, are below 330 * 6e-7 = 1 in
 * 5,000.
 */
final class PublishedTablesTest {
  private static final int SCALE = 1000;
  private static final double STANDARD_ERRORS = 5;
  private static final double TOLERANCE = 0.02;
  private static final long SEED = 2012;

  static List<PublishedCell> cells() {
    return PublishedCell.all();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void reproduces_the_published_cell(PublishedCell cell) {
    Run run = Run.of(cell, Reading.AS_PUBLISHED, SCALE, SEED);
    Tally errors =
        SyntheticTrial.run(
                run.stream(), List.of(run.filter().create()), new long[] {run.records()}, n -> {})
            .get(0)
            .get(0);
    assertRate("FPR", errors.fpr(), cell.fpr() / 100, errors.distinct());
    assertRate("FNR", errors.fnr(), cell.fnr() / 100, errors.duplicates());
  }

  private static void assertRate(String name, double measured, double published, long trials) {
    double standardError = Math.sqrt(published * (1 - published) / trials);
    double allowed = TOLERANCE * published + STANDARD_ERRORS * standardError;
    assertThat(measured)
        .as(
            "%s, published %.4f %%, allowed deviation %.4f %%",
            name, 100 * published, 100 * allowed)
        .isBetween(published - allowed, published + allowed);
  }
}
