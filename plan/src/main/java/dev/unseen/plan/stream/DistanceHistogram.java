package dev.unseen.plan.stream;

import dev.unseen.text.Require;
import java.util.Arrays;
import java.util.NavigableMap;

/**
 * Distances that are uniform within each entry of a histogram, so that within(w) is linear between
 * edges.
 */
final class DistanceHistogram implements RepeatDistances {
  private final double[] edge; // from 0 on
  private final double[] within; // the share of distances up to each edge
  private final double[] meanUpTo; // the mean of min(distance, edge)

  DistanceHistogram(NavigableMap<Long, Double> weights) {
    if (weights.isEmpty() || weights.firstKey() < 1) {
      throw new IllegalArgumentException(
          "histogram (%s) must have entries, of distances from 1 on".formatted(weights));
    }
    int n = weights.size();
    this.edge = new double[n + 1];
    this.within = new double[n + 1];
    this.meanUpTo = new double[n + 1];
    int i = 0;
    for (var entry : weights.entrySet()) {
      Require.that(entry.getValue() >= 0, "weight", entry.getValue(), "at least 0");
      i++;
      edge[i] = entry.getKey();
      within[i] = within[i - 1] + entry.getValue();
    }
    double total = within[n];
    Require.that(total > 0 && total < 1e300, "sum of weights", total, "above 0, and finite");
    for (i = 1; i <= n; i++) {
      within[i] /= total;
      double outside = 1 - (within[i - 1] + within[i]) / 2;
      meanUpTo[i] = meanUpTo[i - 1] + (edge[i] - edge[i - 1]) * outside;
    }
  }

  /** Returns the last edge at or before w. */
  private int before(double w) {
    int at = Arrays.binarySearch(edge, w);
    return at >= 0 ? at : -at - 2;
  }

  @Override
  public double within(double w) {
    int i = before(w);
    if (i == edge.length - 1) {
      return 1;
    }
    double share = (w - edge[i]) / (edge[i + 1] - edge[i]);
    return within[i] + share * (within[i + 1] - within[i]);
  }

  @Override
  public double meanUpTo(double w) {
    int i = before(w);
    double outside = 1 - (within[i] + within(w)) / 2;
    return meanUpTo[i] + (w - edge[i]) * outside;
  }
}
