package dev.unseen.plan;

import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.List;

/**
 * The information bound for a whole stream: no structure in this memory has both of its rates below
 * a point of this curve. At each moment the bound holds with the keys seen so far ({@link
 * InformationBound}). The least weighted sum of the two average rates is the average of the least
 * sums, and each weight gives a point.
 *
 * <p>The bound assumes that an arriving duplicate is a uniformly chosen seen key, as on shuffled
 * and uniform streams. On streams with recent or popular keys a filter can do better, and there is
 * no bound.
 */
public final class BoundCurve {
  private static final int MOMENTS = 50;
  private static final int SEARCH = 24;

  private final StreamModel stream;
  private final double bits;

  /**
   * A point of the curve.
   *
   * @param fpr the false positive rate, averaged over the new records
   * @param fnr the false negative rate, averaged over the duplicates
   */
  public record Point(double fpr, double fnr) {}

  private BoundCurve(StreamModel stream, double bits) {
    this.stream = stream;
    this.bits = bits;
  }

  /** Returns whether there is a bound for this stream. */
  public static boolean appliesTo(StreamModel stream) {
    return stream.exchangeable() && !stream.isEndless();
  }

  /** Returns the curve for a stream and a memory in bytes. The bound must apply to the stream. */
  public static BoundCurve of(StreamModel stream, long memoryBytes) {
    if (!appliesTo(stream)) {
      throw new IllegalArgumentException(
          "the bound applies only to a finite stream whose order carries no information, such as a shuffled or uniform one");
    }
    return new BoundCurve(stream, 8.0 * memoryBytes);
  }

  /** Returns the point without false negatives. */
  public Point withoutFalseNegatives() {
    return new Point(InformationBound.leastAverageFpr(bits, stream.keys()), 0);
  }

  /** Returns this number of points, from few false positives to many, and the last one. */
  public List<Point> points(int count) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(point(Math.pow(10, -5 + 5.0 * i / (count - 1))));
    }
    points.add(withoutFalseNegatives());
    return points;
  }

  /** Returns whether a structure might meet these limits. */
  public boolean allows(ErrorLimits limits) {
    if (limits.maxFnr() == 0) {
      return withoutFalseNegatives().fpr() <= limits.maxFpr();
    }
    double low = 1e-9;
    double high = 1e9;
    for (int i = 0; i < SEARCH; i++) { // finds the weight that gives the FPR of the limit
      double middle = Math.sqrt(low * high);
      if (point(middle).fpr() < limits.maxFpr()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return point(high).fnr() <= limits.maxFnr() || point(low).fnr() <= limits.maxFnr();
  }

  /** Returns the point at which FPR + weight FNR is least. */
  private Point point(double weight) {
    double records = stream.records();
    double keys = stream.keys();
    double duplicates = records - keys;
    double fpr = 0;
    double fnr = 0;
    double before = 0;
    for (int i = 1; i <= MOMENTS; i++) {
      double t = records * i / MOMENTS;
      double now = stream.distinct(t);
      double newHere = (now - before) / keys;
      double duplicatesHere =
          duplicates > 0 ? (records / MOMENTS - (now - before)) / duplicates : 0;
      double bitsPerKey = bits / Math.max(1, (now + before) / 2);
      Point least = least(bitsPerKey, weight * duplicatesHere / Math.max(newHere, 1e-300));
      fpr += newHere * least.fpr();
      fnr += duplicatesHere * least.fnr();
      before = now;
    }
    return new Point(fpr, fnr);
  }

  /** Returns the point for one moment, by golden-section search on the convex curve. */
  private static Point least(double bitsPerKey, double weight) {
    double high = InformationBound.leastFpr(bitsPerKey);
    if (high < 1e-15) {
      return new Point(high, 0);
    }
    double from = Math.log(high * 1e-12);
    double to = Math.log(high);
    double golden = (Math.sqrt(5) - 1) / 2;
    double left = to - golden * (to - from);
    double right = from + golden * (to - from);
    double costLeft = cost(bitsPerKey, left, weight);
    double costRight = cost(bitsPerKey, right, weight);
    for (int i = 0; i < SEARCH; i++) {
      if (costLeft < costRight) {
        to = right;
        right = left;
        costRight = costLeft;
        left = to - golden * (to - from);
        costLeft = cost(bitsPerKey, left, weight);
      } else {
        from = left;
        left = right;
        costLeft = costRight;
        right = from + golden * (to - from);
        costRight = cost(bitsPerKey, right, weight);
      }
    }
    double fpr = Math.exp((from + to) / 2);
    return new Point(fpr, InformationBound.leastFnr(bitsPerKey, fpr));
  }

  private static double cost(double bitsPerKey, double logFpr, double weight) {
    double fpr = Math.exp(logFpr);
    return fpr + weight * InformationBound.leastFnr(bitsPerKey, fpr);
  }
}
