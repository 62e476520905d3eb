package dev.unseen.plan;

/**
 * The bound that no structure can beat, whatever its algorithm. If it treats unseen keys as seen
 * with chance e (its FPR) and seen keys as unseen with chance d (its FNR), it needs per seen key at
 * least
 *
 * <pre>  bits(e, d) = (1-d) log2((1-d)/e) + d log2(d/(1-e))  </pre>
 *
 * <p>bits: the relative entropy between its answers on seen and on unseen keys. It holds at each
 * moment of a stream, with the keys seen so far, for d over uniformly chosen seen keys.
 */
public final class InformationBound {
  private static final double LN2 = Math.log(2);
  private static final int BISECTIONS = 60;

  private InformationBound() {}

  /**
   * Returns the least bits per key that these rates need; 0 if they are no better than guessing.
   */
  public static double bitsPerKey(double fpr, double fnr) {
    return fpr >= 1 - fnr ? 0 : term(1 - fnr, fpr) + term(fnr, 1 - fpr);
  }

  private static double term(double share, double of) {
    return share == 0 ? 0 : share * Math.log(share / of) / LN2;
  }

  /** Returns the least FPR without false negatives. */
  public static double leastFpr(double bitsPerKey) {
    return Math.exp(-bitsPerKey * LN2);
  }

  /** Returns the least FNR at this FPR. */
  public static double leastFnr(double bitsPerKey, double fpr) {
    if (bitsPerKey >= bitsPerKey(fpr, 0)) {
      return 0;
    }
    double low = 0; // needs more bits than there are
    double high = 1 - fpr; // needs none
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (bitsPerKey(fpr, middle) > bitsPerKey) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /**
   * Returns the least FPR without false negatives, averaged over the first records of this many
   * keys that come into this many bits: the integral of {@code 2^(-bits/n)} over n, divided by the
   * keys.
   */
  public static double leastAverageFpr(double bits, double keys) {
    int steps = 2000;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      sum += leastFpr(bits / (keys * (i + 0.5) / steps));
    }
    return sum / steps;
  }
}
