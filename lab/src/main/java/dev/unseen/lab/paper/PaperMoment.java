package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;

/**
 * The framework in which the paper argues (Bera et al. 2012, section 3.1, "General Framework"), for
 * one element e_(m+1). All are joint chances, of an element being so and being reported so; the
 * rates of the paper's tables are conditional.
 *
 * @param x X: all bit positions of the element are 1 when it arrives, so it is reported duplicate
 * @param y Y: it is actually distinct
 * @param fpr FPR: it is distinct and reported duplicate
 * @param fnr FNR: it is a duplicate and reported distinct
 */
record PaperMoment(double x, double y, double fpr, double fnr) {

  /** Returns the paper's FPR = Y X and FNR = (1 - Y)(1 - X), as if X and Y were independent. */
  static PaperMoment derived(double x, double y) {
    return new PaperMoment(x, y, y * x, (1 - y) * (1 - x));
  }

  /** Returns the shares of the elements of a part of a stream. */
  static PaperMoment measured(Tally part) {
    double all = part.records();
    long reported = part.duplicates() - part.falseNegatives() + part.falsePositives();
    return new PaperMoment(
        reported / all,
        part.distinct() / all,
        part.falsePositives() / all,
        part.falseNegatives() / all);
  }

  /** Returns Y_(m+1) = ((U-1)/U)^m for uniform draws from a universe of U keys. */
  static double distinctChance(double m, double universe) {
    return Math.exp(m * Math.log1p(-1 / universe));
  }

  /** Returns DUP: it is a duplicate and reported duplicate. */
  double dup() {
    return x - fpr;
  }

  /** Returns DIS: it is distinct and reported distinct. */
  double dis() {
    return y - fpr;
  }
}
