package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.Setting;
import dev.unseen.lab.trial.Tally;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One setting on one ground, with its two error rates.
 *
 * @param tally the sum of all runs
 * @param fnrSd the standard deviation of FNR between runs; empty if it is not known
 */
public record Point(Setting setting, Tally tally, OptionalDouble fnrSd, boolean onFrontier) {

  /**
   * Creates a point of some runs.
   *
   * @param runs their tallies, or the sum of them alone
   */
  static Point of(Setting setting, List<Tally> runs) {
    Tally sum = runs.stream().reduce(Tally::plus).orElseThrow();
    return new Point(setting, sum, deviation(runs), false);
  }

  private static OptionalDouble deviation(List<Tally> runs) {
    if (runs.size() < 2) {
      return OptionalDouble.empty();
    }
    double mean = runs.stream().mapToDouble(Tally::fnr).average().orElseThrow();
    double squares = runs.stream().mapToDouble(run -> Math.pow(run.fnr() - mean, 2)).sum();
    return OptionalDouble.of(Math.sqrt(squares / (runs.size() - 1)));
  }

  /** Returns whether this is what users get at this rate if they choose nothing else. */
  boolean isDefaultFor(double rate) {
    OptionalDouble own = setting.defaultFor();
    return own.isPresent() && own.getAsDouble() == rate;
  }

  /** Returns whether this point is at least as good in both rates, and better in one. */
  boolean beats(Point other) {
    return tally.fpr() <= other.tally.fpr()
        && tally.fnr() <= other.tally.fnr()
        && (tally.fpr() < other.tally.fpr() || tally.fnr() < other.tally.fnr());
  }

  Point onFrontier(boolean is) {
    return new Point(setting, tally, fnrSd, is);
  }
}
