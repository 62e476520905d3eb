package dev.unseen.plan;

import dev.unseen.plan.predict.Prediction;
import dev.unseen.text.Print;
import dev.unseen.text.Require;

/**
 * The largest error rates that the user accepts.
 *
 * @param maxFpr the largest false positive rate, or 1 for no limit
 * @param maxFnr the largest false negative rate, or 1 for no limit
 */
public record ErrorLimits(double maxFpr, double maxFnr) {
  /** No limits. */
  public static final ErrorLimits NONE = new ErrorLimits(1, 1);

  /** Rejects values that are not rates, and a false positive rate of 0, which no filter has. */
  public ErrorLimits {
    Require.that(
        maxFpr > 0 && maxFpr <= 1, "max FPR", maxFpr, "above 0 and at most 1, such as 1e-4");
    Require.that(maxFnr >= 0 && maxFnr <= 1, "max FNR", maxFnr, "0 to 1, such as 0.01");
  }

  /** Returns whether the predicted rates are within the limits. */
  public boolean isMetBy(Prediction prediction) {
    return shortfall(prediction) <= 1;
  }

  /** Returns how many times too large the worse of the two rates is. */
  double shortfall(Prediction prediction) {
    return Math.max(ratio(prediction.fpr(), maxFpr), ratio(prediction.fnr(), maxFnr));
  }

  private static double ratio(double rate, double most) {
    return rate <= most ? Math.min(1, rate / Math.max(most, Double.MIN_NORMAL)) : rate / most;
  }

  /** Returns the limits as text: {@code an FPR of 0.1 % and an FNR of 0.1 %}. */
  public String describe() {
    if (maxFpr == 1 && maxFnr == 1) {
      return "any rates";
    }
    if (maxFnr == 1) {
      return "an FPR of " + Print.rate(maxFpr);
    }
    String fnr = "an FNR of " + Print.rate(maxFnr);
    return maxFpr == 1 ? fnr : "an FPR of %s and %s".formatted(Print.rate(maxFpr), fnr);
  }
}
