package dev.unseen.audit.shadow;

import dev.unseen.audit.AuditReport.MeasuredRate;

/**
 * Wilson's score interval for a rate whose variance was measured: the interval for the number of
 * independent trials that would have had this variance (E. B. Wilson, <i>Probable inference, the
 * law of succession, and statistical inference</i>, 1927). It stays within 0 and 1, and it is wider
 * on the side where a rare event leaves more room.
 */
final class ScoreInterval {
  private static final double NORMAL_QUANTILE = 1.959963984540054; // 97.5 %
  private static final double ONE_SIDED_QUANTILE = 1.6448536269514722; // 95 %
  private static final double FEW_EVENTS = 3.5;

  private ScoreInterval() {}

  /** Returns the interval of a rate with this variance, measured on this number of keys. */
  static MeasuredRate of(double rate, double variance, double keys, long errors, long trials) {
    double quantile = studentQuantile(keys - 1);
    if (rate <= 0 || rate >= 1) {
      double half = Math.min(1, quantile * Math.sqrt(variance));
      return rate <= 0
          ? new MeasuredRate(0, 0, half, errors, trials)
          : new MeasuredRate(1, 1 - half, 1, errors, trials);
    }
    double n = rate * (1 - rate) / variance;
    return new MeasuredRate(
        rate,
        Math.max(0, middle(rate, n, quantile) - half(rate, n, quantile)),
        Math.min(1, middle(rate, n, quantile) + half(rate, n, quantile)),
        errors,
        trials);
  }

  /**
   * Returns the interval of a rate of independent trials. Below three or four events, Wilson's
   * lower end is too high, and up to one interval in seven would miss. There the lower end is that
   * of the Poisson distribution, by the approximation of Wilson and Hilferty (Brown, Cai and
   * DasGupta, <i>Interval estimation for a binomial proportion</i>, 2001, section 4.1.1).
   */
  static MeasuredRate ofTrials(double rate, double n, double keys, long errors, long trials) {
    double quantile = studentQuantile(keys - 1);
    double low = middle(rate, n, quantile) - half(rate, n, quantile);
    double events = rate * n;
    if (events < FEW_EVENTS) {
      double root = 1 - 1 / (9 * events) - ONE_SIDED_QUANTILE / (3 * Math.sqrt(events));
      low = Math.min(low, rate * Math.pow(Math.max(0, root), 3));
    }
    return new MeasuredRate(
        rate,
        errors == 0 ? 0 : Math.max(0, low),
        errors == trials ? 1 : upper(rate, n, keys),
        errors,
        trials);
  }

  /** Returns the upper end of the interval of a rate of {@code n} independent trials. */
  static double upper(double rate, double n, double keys) {
    double quantile = studentQuantile(keys - 1);
    return Math.min(1, middle(rate, n, quantile) + half(rate, n, quantile));
  }

  private static double middle(double rate, double n, double z) {
    return (rate + z * z / (2 * n)) / (1 + z * z / n);
  }

  private static double half(double rate, double n, double z) {
    return z / (1 + z * z / n) * Math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  }

  /** Returns the quantile of Student's distribution, by the expansion of Cornish and Fisher. */
  static double studentQuantile(double atLeastOne) {
    double freedom = Math.max(1, atLeastOne);
    double z = NORMAL_QUANTILE;
    double z3 = z * z * z;
    double z5 = z3 * z * z;
    return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
  }
}
