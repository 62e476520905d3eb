package dev.unseen.plan;

import dev.unseen.plan.predict.Prediction;
import dev.unseen.text.Print;
import dev.unseen.text.Require;

/**
 * The most errors that are tolerated.
 *
 * @param maxFpr the largest FPR, or 1 if any will do
 * @param maxFnr the largest FNR, or 1 if any will do
 */
public record ErrorLimits(double maxFpr, double maxFnr) {
  /** Any rates will do. */
  public static final ErrorLimits NONE = new ErrorLimits(1, 1);

  /** Refuses what is no rate, or cannot be had at any price. */
  public ErrorLimits {
    Require.that(
        maxFpr > 0 && maxFpr <= 1, "max FPR", maxFpr, "above 0 and at most 1, such as 1e-4");
    Require.that(maxFnr >= 0 && maxFnr <= 1, "max FNR", maxFnr, "0 to 1, such as 0.01");
  }

  /** Whether these rates are good enough. */
  public boolean isMetBy(Prediction prediction) {
    return shortfall(prediction) <= 1;
  }

  /** How many times too large the worse of the two rates is; at most 1 if both are good enough. */
  double shortfall(Prediction prediction) {
    return Math.max(ratio(prediction.fpr(), maxFpr), ratio(prediction.fnr(), maxFnr));
  }

  private static double ratio(double rate, double most) {
    return rate <= most ? Math.min(1, rate / Math.max(most, Double.MIN_NORMAL)) : rate / most;
  }

  /** In words: {@code 0.1 % FPR and 0.1 % FNR}. */
  public String describe() {
    if (maxFpr == 1 && maxFnr == 1) {
      return "any rates";
    }
    if (maxFnr == 1) {
      return Print.percent(maxFpr) + " FPR";
    }
    String fnr = Print.percent(maxFnr) + " FNR";
    return maxFpr == 1 ? fnr : Print.percent(maxFpr) + " FPR and " + fnr;
  }
}
