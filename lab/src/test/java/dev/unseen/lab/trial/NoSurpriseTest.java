package dev.unseen.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.stream.NamedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More room is never worse: on every stream, RECENCY lets no more duplicates through when its
 * memory grows, nor when more false positives are allowed.
 *
 * <p>Each point of the grid is the mean of five runs with other hashes of the keys. The runs differ
 * by chance, mostly in how many keys fall into the same line, so the standard error of the mean is
 * taken from the runs themselves. A step up is a surprise if it is more than five standard errors
 * of the difference and more than a fiftieth of the rate: lanes come in whole numbers, and so small
 * a difference surprises nobody. With eight degrees of freedom a level step passes five standard
 * errors with odds of 5e-4; if all 248 steps were level, another seed would fail one time in eight.
 * Most of them go down by far more than that.
 */
final class NoSurpriseTest {
  private static final double[] BITS_PER_KEY = {2, 4, 8, 12};
  private static final double[] MAX_FPR = {1e-4, 5e-4, 1e-3, 2e-3, 1e-2};
  private static final int RUNS = 5;
  private static final double STANDARD_ERRORS = 5;
  private static final double RELATIVE = 0.02;

  /** The mean FNR of the runs at one point of the grid. */
  private record Cell(double bits, double maxFpr, double mean, double variance) {
    /** Tells how this one, which has more room, is worse; null if it is not. */
    String worseThan(Cell tighter) {
      double rise = mean - tighter.mean;
      double noise = STANDARD_ERRORS * Math.sqrt(variance + tighter.variance);
      return rise > noise && rise > RELATIVE * tighter.mean
          ? String.format(
              Locale.ROOT,
              "%.2f %% -> %.2f %%: %s bits a key at %s -> %s bits at %s (noise %.2f points)",
              100 * tighter.mean,
              100 * mean,
              tighter.bits,
              tighter.maxFpr,
              bits,
              maxFpr,
              100 * noise)
          : null;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "loop:40K:10K",
        "loop-noise:40K:8K:20",
        "day-twice:40K:6K",
        "scan:40K:4K:40",
        "shift:40K:4K:10",
        "twice:40K:8K",
        "recency:40K:60:6K",
        "zipf:40K:8K:0.9"
      })
  void more_room_is_never_worse(String name) {
    HeldStream stream = HeldStream.of(NamedStream.parse(name, 1), 1);
    Cell[][] grid = new Cell[BITS_PER_KEY.length][MAX_FPR.length];
    List<String> surprises = new ArrayList<>();
    for (int m = 0; m < BITS_PER_KEY.length; m++) {
      for (int e = 0; e < MAX_FPR.length; e++) {
        grid[m][e] = measure(stream, BITS_PER_KEY[m], MAX_FPR[e]);
        if (m > 0) {
          add(surprises, grid[m][e].worseThan(grid[m - 1][e]));
        }
        if (e > 0) {
          add(surprises, grid[m][e].worseThan(grid[m][e - 1]));
        }
      }
    }
    assertThat(surprises).as(name).isEmpty();
  }

  private static void add(List<String> surprises, String surprise) {
    if (surprise != null) {
      surprises.add(surprise);
    }
  }

  private static Cell measure(HeldStream stream, double bits, double maxFpr) {
    long bytes = Math.max(1, Math.round(bits * stream.distinct() / 512)) * 64;
    double sum = 0;
    double squares = 0;
    for (int run = 0; run < RUNS; run++) {
      FilterSpec spec =
          FilterSpec.builder(FilterKind.RECENCY, bytes).maxFpr(maxFpr).seed(run).build();
      double fnr = stream.run(Contestant.of(Filters.create(spec)), run, any -> {}).fnr();
      sum += fnr;
      squares += fnr * fnr;
    }
    double mean = sum / RUNS;
    double variance = Math.max(0, squares / RUNS - mean * mean) / (RUNS - 1);
    return new Cell(bits, maxFpr, mean, variance);
  }
}
