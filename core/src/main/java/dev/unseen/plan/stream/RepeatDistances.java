package dev.unseen.plan.stream;

import dev.unseen.text.Require;
import java.util.NavigableMap;

/**
 * How far back the previous record of a repeated key lies, as a distribution over distances.
 * Distances are real numbers here: a model of thousands of records does not see single ones.
 */
public interface RepeatDistances {
  /** The share of distances of at most w. */
  double within(double w);

  /** The mean of min(distance, w): the integral of {@code 1 - within} from 0 to w. */
  double meanUpTo(double w);

  /** Uniform over the last {@code window} records. */
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

  /** Exponential: half of the distances are at most {@code halfLife}. */
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
   * A histogram: each entry gives a largest distance and its weight; within an entry, from the one
   * before it on, distances are uniform.
   */
  static RepeatDistances histogram(NavigableMap<Long, Double> weights) {
    return new DistanceHistogram(weights);
  }
}
