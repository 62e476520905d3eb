package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.recency.LineForm;
import dev.unseen.filter.recency.LineShape;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Require;
import java.util.List;

/**
 * Predicts the errors of RECENCY. As long as the keys leave a few lanes of each line free, none is
 * forgotten, because each key goes into the emptier of its two lines. From then on lines are full,
 * and a key is still in its line if fewer other keys than the line has lanes came to it since; and
 * w records with D(w) distinct keys bring each of L lines a Poisson number of them, of mean D(w)/L.
 * So with M(w) the chance that this number is n or more,
 *
 * <pre>
 *   false negatives of the first t records = the integral of (t - w) (-y'(w)) M(w) over w to t
 * </pre>
 *
 * since a repeat at distance w can be at t - w places. The false positives follow from the Poisson
 * number of lanes in use, and their width at that.
 *
 * <p>That is exact for {@code Refresh.ALWAYS}. The adaptive filter does better on some streams,
 * which the distances alone do not show; otherwise the result is right within a few percent. With a
 * window, only records within it count as repeats.
 */
final class RecencyFilterModel {
  /** While this number of lanes of a line is free on average, no line is full. */
  private static final double FREE_LANES = 3;

  private static final double GROWTH = 1.02; // from one distance, or moment, to the next

  /** An endless stream is followed for this many times the number of keys in memory. */
  private static final double ENDLESS = 1e6;

  private static final double LINE_BYTES = 64;

  private final StreamModel stream;
  private final List<LineShape> shapes;
  private final int capacity;
  private final double lines;
  private final double records;
  private final double reach; // the longest distance that counts as a repeat

  RecencyFilterModel(FilterSpec spec, StreamModel stream) {
    this.stream = stream;
    this.shapes = LineForm.of(spec).lineShapes();
    this.capacity = shapes.get(shapes.size() - 1).lanes();
    this.lines = spec.storageBytes() / LINE_BYTES;
    this.records = stream.isEndless() ? ENDLESS * capacity * lines : stream.records();
    boolean byRecords = !spec.window().isNone() && !spec.window().isTime();
    this.reach = byRecords ? spec.window().length() : Double.POSITIVE_INFINITY;
  }

  /**
   * Returns the filter for this rate. If recency alone predicts repeats, they refresh their keys.
   */
  static List<FilterSpec> candidates(
      long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    double rate =
        maxFpr == 1
            ? FilterSpec.DEFAULT_MAX_FPR
            : Math.max(FilterSpec.MIN_MAX_FPR, Math.min(FilterSpec.MAX_MAX_FPR, maxFpr));
    return List.of(
        FilterSpec.builder(FilterKind.RECENCY, memoryBytes)
            .seed(seed)
            .maxFpr(rate)
            .refresh(stream.recencyTellsAll() ? Refresh.ALWAYS : Refresh.ADAPTIVE)
            .build());
  }

  /** Predicts the errors, by a small filter if a sample has all distances. */
  static Prediction predict(FilterSpec spec, StreamModel stream) {
    Require.that(spec.kind() == FilterKind.RECENCY, "kind", spec.kind().id(), "recency");
    boolean noticesLoops = spec.refresh() == Refresh.ADAPTIVE && spec.window().isNone();
    if (noticesLoops && stream.period().isPresent()) {
      return RecencyLoopModel.predict(spec, stream, stream.period().getAsDouble());
    }
    return MiniatureModel.predictOr(
        (same, any) -> new RecencyFilterModel(same, any).run(), spec, stream);
  }

  private Prediction run() {
    double t = 0;
    double lost = 0;
    double distinct = 0;
    double missRate = 0; // per record, at this moment
    double passed = 0;
    double fpr = 0;
    while (t < records) {
      double next = Math.min(records, Math.max(t * GROWTH, t + 0.02 * lines));
      double middle = (t + next) / 2;
      double repeats = Math.max(0, stream.unseen(t) - stream.unseen(next));
      double missed = middle <= reach ? repeats * missedAfter(middle) * (1 - fpr) : 0;
      double fprNext = fprAt(keysPerLine(next));
      double distinctNext = stream.distinct(next);
      lost += (distinctNext - distinct) * (fpr + fprNext) / 2;
      passed += (next - t) * (missRate + missed / 2);
      missRate += missed;
      t = next;
      distinct = distinctNext;
      fpr = fprNext;
    }
    double finalFnr = share(missRate, 1 - stream.unseen(Math.min(t, reach)));
    return new Prediction(
        stream.isEndless() ? fpr : share(lost, distinct),
        stream.isEndless() ? finalFnr : share(passed, t - distinct),
        fpr,
        finalFnr,
        load(keysPerLine(t), capacity));
  }

  /** Returns the chance that a key that came this many records ago is no longer in its line. */
  double missedAfter(double distance) {
    return keysPerLine(records) < capacity - FREE_LANES
        ? 0
        : poissonAtLeast(capacity, keysPerLine(distance));
  }

  /** Returns the share of the keys of w records that lines with this many lanes hold. */
  double heldShare(double w, int lanes) {
    return Math.min(1, lanes / keysPerLine(w));
  }

  /** Returns the share of the lanes in use after w records. */
  double loadAfter(double w) {
    return load(keysPerLine(w), capacity);
  }

  /** Returns the chance that a new key is lost after w records. */
  double fprAfter(double w) {
    return fprAt(keysPerLine(w));
  }

  private static double share(double part, double whole) {
    return whole > 0 ? Math.min(1, part / whole) : 0;
  }

  private double keysPerLine(double w) {
    return stream.distinct(w) / lines;
  }

  /** Returns the share of the lanes in use once each line has had a Poisson number of keys. */
  private double load(double mean, int lanes) {
    double sum = 0;
    double chance = Math.exp(-mean);
    double below = 0;
    for (int keys = 0; keys < lanes; keys++) {
      sum += chance * keys;
      below += chance;
      chance *= mean / (keys + 1);
    }
    return Math.min(1, (sum + (1 - below) * lanes) / lanes);
  }

  private double fprAt(double mean) {
    double sum = 0;
    double chance = Math.exp(-mean);
    double below = 0;
    int level = 0;
    for (int keys = 0; keys < capacity; keys++) {
      while (keys > shapes.get(level).lanes()) {
        level++;
      }
      sum += chance * keys * shapes.get(level).chance();
      below += chance;
      chance *= mean / (keys + 1);
    }
    LineShape last = shapes.get(shapes.size() - 1);
    // A key is compared with the lanes of two lines.
    return 2 * (sum + Math.max(0, 1 - below) * last.lanes() * last.chance());
  }

  /** Returns the chance that a Poisson number is n or more. */
  static double poissonAtLeast(int n, double mean) {
    if (mean > n) {
      double chance = Math.exp(-mean);
      double below = 0;
      for (int i = 0; i < n; i++) {
        below += chance;
        chance *= mean / (i + 1);
      }
      return Math.max(0, 1 - below);
    }
    double chance = 1; // summed from n upwards, so that small chances stay exact
    for (int i = 1; i <= n; i++) {
      chance *= mean / i;
    }
    chance *= Math.exp(-mean);
    double sum = 0;
    for (int i = n + 1; chance > sum * 1e-16; i++) {
      sum += chance;
      chance *= mean / i;
    }
    return sum;
  }
}
