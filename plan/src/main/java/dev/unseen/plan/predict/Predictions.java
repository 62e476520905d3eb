package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.List;

/** Predicts the errors of any filter on any stream, without running either. */
public final class Predictions {
  private Predictions() {}

  /** Predicts the errors of a filter; on an endless stream, those that it settles at. */
  public static Prediction of(FilterSpec spec, StreamModel stream) {
    Prediction ofModel = KindProfile.of(spec.kind()).model().predict(spec, stream);
    double least = sharedHashes(stream);
    return ofModel.fpr() >= least
        ? ofModel
        : new Prediction(
            least, ofModel.fnr(), ofModel.finalFpr(), ofModel.finalFnr(), ofModel.finalLoad());
  }

  /**
   * Returns the share of keys whose 64-bit hash is that of an earlier key, on average: no filter
   * can distinguish these. On an endless stream the models decide.
   */
  private static double sharedHashes(StreamModel stream) {
    return stream.isEndless() ? 0 : stream.keys() / 2 * 0x1p-64;
  }

  /**
   * Returns the filters of a kind that are worth considering in this memory, the default one first.
   *
   * @param maxFpr the largest share of new records that may be lost, or 1 for no limit; RECENCY is
   *     built for it
   */
  public static List<FilterSpec> candidates(
      FilterKind kind, long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    return KindProfile.of(kind).candidates().of(memoryBytes, seed, stream, maxFpr);
  }

  /** Returns the least false negative rate of this filter, on any stream and in any memory. */
  public static double leastFnr(FilterSpec spec) {
    return spec.kind() == FilterKind.SAMPLED ? SampledFilterModel.fnr(spec) : 0;
  }
}
