package dev.unseen.plan.predict;

import dev.unseen.plan.stream.StreamModel;
import java.util.Arrays;

/**
 * The points at which a {@link Lookback} stops: distances back that grow by a tenth each time. The
 * values of the stream at them are computed once for all t.
 *
 * <p>Where a filter stores ever fewer records, the first ones weigh as much as the last, and the
 * points are as close to the start of the stream as to t.
 */
final class LookbackGrid {
  private static final double GROWTH = 1.1;

  private final double[] lag;
  private final double[] unseen;
  private final double[] distinct;
  private final boolean mirrored;

  LookbackGrid(double first, double longest, StreamModel stream, boolean mirrored) {
    int n = 1 + (int) Math.max(0, Math.ceil(Math.log(longest / first) / Math.log(GROWTH)));
    this.lag = new double[n];
    this.unseen = new double[n];
    this.distinct = new double[n];
    this.mirrored = mirrored;
    for (int i = 0; i < n; i++) {
      lag[i] = first * Math.pow(GROWTH, i);
      unseen[i] = stream.unseen(lag[i]);
      distinct[i] = stream.distinct(lag[i]);
    }
  }

  int pointsBefore(double t) {
    int at = Arrays.binarySearch(lag, mirrored ? t / 2 : t);
    int ordinary = at >= 0 ? at : -at - 1;
    return mirrored ? 2 * ordinary : ordinary;
  }

  double lag(int point, int points, double t) {
    return mirrored && point >= points / 2 ? t - lag[points - 1 - point] : lag[point];
  }

  double unseen(int point) {
    return unseen[point];
  }

  double distinct(int point) {
    return distinct[point];
  }
}
