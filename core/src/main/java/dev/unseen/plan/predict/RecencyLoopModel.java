package dev.unseen.plan.predict;

import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the errors of RECENCY on a stream that goes round its keys. A line has a Poisson number
 * of the keys, n, and room for L of them. Where all fit, nothing is forgotten. Else, on the second
 * pass each key of the line has gone when it comes again, since the others came after it. The
 * filter notices, and from the third pass on it keeps L of the n keys, which it finds each time:
 *
 * <pre>
 *   FNR of the second pass = the share of keys in lines of more than L
 *   FNR of each further pass = 1 - E(min(n, L)) / E(n)
 * </pre>
 *
 * <p>The false positives are those of filling, and of a full line afterwards.
 */
final class RecencyLoopModel {
  private static final int STEPS = 64; // of each of the first passes

  private RecencyLoopModel() {}

  static Prediction predict(FilterSpec spec, StreamModel stream, double keys) {
    RecencyFilterModel lines = new RecencyFilterModel(spec, stream);
    double records = stream.records();
    double secondPass = lines.missedAfter(keys);
    double furtherPasses = 1 - lines.heldShare(keys);
    List<Prediction.Moment> moments = new ArrayList<>();
    double lost = 0;
    double passed = 0;
    double t = 0;
    while (t < records) {
      double step = t < 3 * keys ? keys / STEPS : 0.02 * t;
      double pass = Math.floor(t / keys * (1 + 1e-12));
      double end = pass < 2 ? (pass + 1) * keys : records; // no step is of two passes
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
