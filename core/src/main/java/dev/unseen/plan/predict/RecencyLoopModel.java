package dev.unseen.plan.predict;

import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the errors of RECENCY on a stream that goes round its keys. A line has a Poisson number
 * of the keys, n, and room for L of them in order, or for K if it keeps what it has. Where all fit,
 * nothing is forgotten. Else, at the start of the second pass each key of the line has gone when it
 * comes again, since the others came after it. The filter notices within the pass, and from then on
 * it keeps K of the n keys, which it finds each time:
 *
 * <pre>
 *   FNR at first = the share of keys in lines of more than L
 *   FNR of each pass after the second = 1 - E(min(n, K)) / E(n)
 *   FNR of the second pass = 0.3 of the first and 0.7 of the other
 * </pre>
 *
 * <p>The 0.3 was measured, on loops of 4 and 8 bits per key.
 *
 * <p>The false positives are those of filling, and of a full line afterwards.
 */
final class RecencyLoopModel {
  private static final int STEPS = 64; // of each of the first passes

  /** The part of the second pass that goes by before the filter keeps its keys. */
  private static final double UNNOTICED = 0.3;

  private RecencyLoopModel() {}

  static Prediction predict(FilterSpec spec, StreamModel stream, double keys) {
    RecencyFilterModel lines = new RecencyFilterModel(spec, stream);
    double records = stream.records();
    double furtherPasses = 1 - lines.heldShare(keys, spec.keptLanes());
    double secondPass = furtherPasses;
    secondPass += UNNOTICED * Math.max(0, lines.missedAfter(keys) - furtherPasses);
    List<Prediction.Moment> moments = new ArrayList<>();
    double lost = 0;
    double passed = 0;
    double t = 0;
    while (t < records) {
      double step = t < 3 * keys ? keys / STEPS : 0.02 * t;
      double pass = Math.floor(t / keys * (1 + 1e-12));
      double end = pass < 2 ? (pass + 1) * keys : records; // no step spans two passes
      double next = Math.min(Math.min(records, end), t + step);
      double fpr = lines.fprAfter(next);
      double fnr = pass == 0 ? 0 : pass == 1 ? secondPass : furtherPasses;
      if (pass == 0) {
        lost += (next - t) * (lines.fprAfter(t) + fpr) / 2;
      } else {
        passed += (next - t) * fnr;
      }
      t = next;
      double distinct = Math.min(t, keys);
      moments.add(
          new Prediction.Moment(
              t,
              lines.loadAfter(t),
              fpr,
              fnr,
              lost / distinct,
              t > distinct ? passed / (t - distinct) : 0));
    }
    Prediction.Moment last = moments.get(moments.size() - 1);
    return new Prediction(last.fprSoFar(), last.fnrSoFar(), last.load(), moments);
  }
}
