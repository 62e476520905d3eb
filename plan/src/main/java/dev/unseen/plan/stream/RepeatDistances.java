package dev.unseen.plan.stream;

import dev.unseen.text.Require;
import java.util.NavigableMap;

/**
 * The distribution of distances between a repeated record and the previous record of its key, in
 * records. Distances are real numbers here, because a model of thousands of records does not need
 * whole ones.
 */
public interface RepeatDistances {
  /** Returns the share of distances of at most w. */
  double within(double w);

  /**
   * Returns the mean of min(distance, w), which is the integral of {@code 1 - within} from 0 to w.
   */
  double meanUpTo(double w);

  /** Returns distances that are uniform over the last {@code window} records. */
  static RepeatDistances uniformWithin(double window) {
    Require.that(window >= 1, "window", window, "at least 1");
    return new RepeatDistances() {
      @Override
      public double within(double w) {
        return Math.min(1, w / window);
      }

      @Override
      public double meanUpTo(double w) {
        return w >= window ? window / 2 : w - w * w / (2 * window);
      }
    };
  }

  /** Returns exponential distances, of which half are at most {@code halfLife}. */
  static RepeatDistances halfLife(double halfLife) {
    Require.that(halfLife > 0, "half-life", halfLife, "above 0");
    double scale = halfLife / Math.log(2);
    return new RepeatDistances() {
      @Override
      public double within(double w) {
        return -Math.expm1(-w / scale);
      }

      @Override
      public double meanUpTo(double w) {
        return -scale * Math.expm1(-w / scale);
      }
    };
  }

  /**
   * Returns distances from a histogram. Each entry has a largest distance and a weight; within an
   * entry, which starts at the largest distance of the one before, distances are uniform.
   */
  static RepeatDistances histogram(NavigableMap<Long, Double> weights) {
    return new DistanceHistogram(weights);
  }
}
