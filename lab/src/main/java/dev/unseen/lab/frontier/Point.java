package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.trial.Tally;

/** One setting on one ground, with its two error rates. */
public record Point(ContestantFamily family, String parameters, Tally tally, boolean onFrontier) {

  /** Returns whether this point is at least as good in both rates, and better in one. */
  boolean beats(Point other) {
    return tally.fpr() <= other.tally.fpr()
        && tally.fnr() <= other.tally.fnr()
        && (tally.fpr() < other.tally.fpr() || tally.fnr() < other.tally.fnr());
  }

  Point onFrontier(boolean is) {
    return new Point(family, parameters, tally, is);
  }
}
