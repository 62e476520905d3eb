package dev.unseen.plan.predict;

import java.util.Arrays;

/**
 * Stores B(t), the average number of resets of a position up to record t, on a growing grid of t.
 * In between it interpolates with the cubic that has the values and slopes of the two neighbors.
 */
final class ResetHistory {
  private double[] t = new double[512];
  private double[] resets = new double[512];
  private double[] rate = new double[512];
  private int last;

  ResetHistory(double firstRate) {
    rate[0] = firstRate;
  }

  double lastRate() {
    return rate[last];
  }

  /** Returns the resets at a later time with this rate, by the trapezoidal rule. */
  private double resetsAt(double time, double rateThere) {
    return resets[last] + (time - t[last]) * (rate[last] + rateThere) / 2;
  }

  void add(double time, double rateThere) {
    double sum = resetsAt(time, rateThere);
    last++;
    if (last == t.length) {
      t = Arrays.copyOf(t, 2 * last);
      resets = Arrays.copyOf(resets, 2 * last);
      rate = Arrays.copyOf(rate, 2 * last);
    }
    t[last] = time;
    resets[last] = sum;
    rate[last] = rateThere;
  }

  /** Lets the rate jump at the last moment. */
  void jumpTo(double rateThere) {
    add(t[last], rateThere);
  }

  void removeLast() {
    last--;
  }

  /** Reads B at falling times, from the last one on. */
  final class Backwards {
    private int from = Math.max(0, last - 1);

    double at(double time) {
      while (from > 0 && t[from] > time) {
        from--;
      }
      double h = t[from + 1] - t[from];
      double x = h > 0 ? Math.max(0, (time - t[from]) / h) : 1;
      double rise = resets[from + 1] - resets[from];
      double bend0 = h * rate[from] - rise;
      double bend1 = h * rate[from + 1] - rise;
      return resets[from] + x * (rise + (1 - x) * ((1 - x) * bend0 - x * bend1));
    }
  }
}
