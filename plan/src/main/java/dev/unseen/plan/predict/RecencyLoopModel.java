package dev.unseen.plan.predict;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.recency.LineForm;
import dev.unseen.plan.stream.StreamModel;

/**
 * Predicts the errors of RECENCY on a loop: a stream that repeats its keys in the same order. No
 * key comes again while the filter fills, and it replaces its keys until the second pass begins.
 * Then it keeps the keys that it has, and makes room for more, which it finds from the third pass
 * on:
 *
 * <pre>
 *   FNR of the second pass = 1 - 31/32 (lanes of a line in order) / (keys per line)
 *   FNR of each later pass = 1 - 31/32 (lanes of a sorted line) / (keys per line)
 * </pre>
 *
 * <p>One page in 32 replaces its keys, as a probe, and finds none. The false positives are those of
 * filling, and of a full line afterwards.
 */
final class RecencyLoopModel {
  private static final int STEPS = 64; // of each of the first passes

  /** The share of the lines that keep their keys. */
  private static final double KEEPING = 31.0 / 32;

  private RecencyLoopModel() {}

  static Prediction predict(FilterSpec spec, StreamModel stream, double keys) {
    RecencyFilterModel lines = new RecencyFilterModel(spec, stream);
    double records = stream.records();
    LineForm form = LineForm.of(spec);
    double held = lines.heldShare(keys, form.mostLanes());
    double laterPasses = held == 1 ? 0 : 1 - KEEPING * held;
    double secondPass = held == 1 ? 0 : 1 - KEEPING * lines.heldShare(keys, form.fullLanes());
    double lost = 0;
    double passed = 0;
    double t = 0;
    while (t < records) {
      double step = t < 3 * keys ? keys / STEPS : 0.02 * t;
      double pass = Math.floor(t / keys * (1 + 1e-12));
      double end = pass < 2 ? (pass + 1) * keys : records; // no step spans two passes
      double next = Math.min(Math.min(records, end), t + step);
      double fpr = lines.fprAfter(next);
      double fnr = pass == 0 ? 0 : pass == 1 ? secondPass : laterPasses;
      if (pass == 0) {
        lost += (next - t) * (lines.fprAfter(t) + fpr) / 2;
      } else {
        passed += (next - t) * fnr;
      }
      t = next;
    }
    double distinct = Math.min(records, keys);
    return new Prediction(
        lost / distinct,
        records > distinct ? passed / (records - distinct) : 0,
        lines.fprAfter(records),
        records <= keys ? 0 : records <= 2 * keys ? secondPass : laterPasses,
        lines.loadAfter(records));
  }
}
