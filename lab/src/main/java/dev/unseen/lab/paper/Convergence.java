package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;
import java.util.List;

/** Measures how soon the load of a filter settles. */
final class Convergence {
  private static final double TOLERANCE = 0.05;

  private Convergence() {}

  /**
   * Returns the number of records after which the load stays within 5 % of its last value. Between
   * two tallies it is interpolated.
   */
  static double records(List<Tally> along) {
    double last = along.get(along.size() - 1).load();
    int inside = along.size() - 1;
    while (inside > 0 && Math.abs(along.get(inside - 1).load() - last) <= TOLERANCE * last) {
      inside--;
    }
    Tally before = inside == 0 ? new Tally(0, 0, 0, 0, 0) : along.get(inside - 1);
    Tally after = along.get(inside);
    double limit = last * (before.load() < last ? 1 - TOLERANCE : 1 + TOLERANCE);
    double share = (limit - before.load()) / (after.load() - before.load());
    return before.records() + share * (after.records() - before.records());
  }
}
