package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.Setting;
import dev.unseen.lab.trial.Tally;
import java.util.List;

/**
 * One setting on one ground, with its two error rates.
 *
 * @param tally the sum of all runs
 * @param fnrSd the standard deviation of FNR between runs; NaN if it is not known
 */
public record Point(Setting setting, Tally tally, double fnrSd) {
  /**
   * Creates a point of some runs.
   *
   * @param runs their tallies, or the sum of them alone
   */
  static Point of(Setting setting, List<Tally> runs) {
    Tally sum = runs.stream().reduce(Tally::plus).orElseThrow();
    return new Point(setting, sum, Tally.fnrDeviation(runs));
  }

  /** Returns whether this point is at least as good in both rates, and better in one. */
  boolean beats(Point other) {
    return tally.fpr() <= other.tally.fpr()
        && tally.fnr() <= other.tally.fnr()
        && (tally.fpr() < other.tally.fpr() || tally.fnr() < other.tally.fnr());
  }
}
