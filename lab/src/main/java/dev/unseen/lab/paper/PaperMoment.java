package dev.unseen.lab.paper;

import dev.unseen.plan.predict.Prediction;

/**
 * The framework in which the paper argues (Bera et al. 2012, section 3.1, "General Framework"), for
 * the element e_(m+1). Its rates are joint chances, of an element being so and being reported so;
 * those of a {@link Prediction}, like those of the paper's tables, are conditional.
 *
 * @param x X_(m+1): all bit positions of the element are 1 when it arrives
 * @param y Y_(m+1): it is actually distinct
 */
public record PaperMoment(double x, double y) {
  /** Returns Y_(m+1) = ((U-1)/U)^m for uniform draws from a universe of U keys. */
  public static double distinctChance(double m, double universe) {
    return Math.exp(m * Math.log1p(-1 / universe));
  }

  /** Returns FPR_(m+1) = Y X, the chance that it is distinct and reported duplicate. */
  public double fpr() {
    return y * x;
  }

  /**
   * Returns FNR_(m+1) = (1 - Y)(1 - X), the chance that it is a duplicate and reported distinct.
   */
  public double fnr() {
    return (1 - y) * (1 - x);
  }

  /** Returns DUP_(m+1) = (1 - Y) X, the chance that it is a duplicate and reported duplicate. */
  public double dup() {
    return (1 - y) * x;
  }

  /** Returns DIS_(m+1) = Y (1 - X), the chance that it is distinct and reported distinct. */
  public double dis() {
    return y * (1 - x);
  }
}
