package dev.unseen.lab.frontier;

import dev.unseen.plan.InformationBound;
import java.util.ArrayList;
import java.util.List;

/**
 * The information bound of a whole growing stream as a curve: no structure can be below it.
 *
 * <p>At each moment the bound ties FNR to FPR, with the keys seen so far. A structure may spend its
 * errors when it likes, so the least average FNR at an average FPR is a minimum over all ways to
 * share the FPR out along the stream. FNR is convex in FPR: for each price of a false positive the
 * cheapest FPR of each moment gives one point of the curve.
 */
final class GroundBound {
  private static final int STEPS = 40;
  private static final int PRICES = 40;
  private static final int SEARCH = 40;
  private static final double LEAST = Math.log(1e-9);

  private GroundBound() {}

  /**
   * Returns pairs of FPR and FNR, both averaged as measured rates are, in the order of falling FPR.
   */
  static List<double[]> of(Ground ground) {
    long[] growth = ground.stream().growth(STEPS);
    long records = ground.stream().records();
    double bits = (double) ground.memoryBytes() * Byte.SIZE;
    List<double[]> curve = new ArrayList<>();
    for (int i = 0; i < PRICES; i++) {
      // The number of false negatives that one false positive is worth: from few to very many.
      double price = Math.pow(10, -2 + 10.0 * i / (PRICES - 1));
      double falsePositives = 0;
      double falseNegatives = 0;
      for (int step = 0; step < STEPS; step++) {
        long before = step == 0 ? 0 : growth[step - 1];
        double first = growth[step] - before;
        double duplicates = (double) records / STEPS - first;
        double bitsPerKey = bits / Math.max(1, (growth[step] + before) / 2.0);
        double fpr = cheapest(bitsPerKey, duplicates, price * first);
        falsePositives += fpr * first;
        falseNegatives += InformationBound.leastFnr(bitsPerKey, fpr) * duplicates;
      }
      long distinct = growth[STEPS - 1];
      curve.add(
          new double[] {
            falsePositives / distinct, falseNegatives / Math.max(1, records - distinct)
          });
    }
    return curve;
  }

  /**
   * Returns the FPR at which {@code duplicates * FNR + cost * FPR} is least, by golden-section
   * search.
   */
  private static double cheapest(double bitsPerKey, double duplicates, double cost) {
    double golden = (Math.sqrt(5) - 1) / 2;
    double low = LEAST;
    double high = 0;
    for (int i = 0; i < SEARCH; i++) {
      double a = high - golden * (high - low);
      double b = low + golden * (high - low);
      if (cost(bitsPerKey, duplicates, cost, a) <= cost(bitsPerKey, duplicates, cost, b)) {
        high = b;
      } else {
        low = a;
      }
    }
    return Math.exp((low + high) / 2);
  }

  private static double cost(double bitsPerKey, double duplicates, double cost, double logFpr) {
    double fpr = Math.exp(logFpr);
    return duplicates * InformationBound.leastFnr(bitsPerKey, fpr) + cost * fpr;
  }
}
