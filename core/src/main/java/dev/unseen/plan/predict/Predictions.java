package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.SampledStreamModel;
import dev.unseen.plan.stream.StreamModel;
import java.util.List;

/** Which model predicts which kind of filter: the one place where a new kind brings its own. */
public final class Predictions {
  private Predictions() {}

  /** The errors of this filter on this stream. On an endless stream, the rates it settles at. */
  public static Prediction of(FilterSpec spec, StreamModel stream) {
    return switch (spec.kind()) {
      case SBF, RSBF, RSBF_MEASURED, BSBF, BSBFSD, RLBSBF, BLOOM, BSBF_BLOCKED, RLBSBF_BLOCKED ->
          MeanFieldModel.predict(spec, stream);
      case RECENCY ->
          stream instanceof SampledStreamModel sample && sample.hasDistances()
              ? RecencyFilterMiniature.predict(spec, sample)
              : RecencyFilterModel.predict(spec, stream);
      case SAMPLED -> SampledFilterModel.predict(spec, stream);
    };
  }

  /**
   * Returns the filters of a kind that are worth a look in this memory, the usual one first.
   *
   * @param maxFpr the largest share of new records that may be lost, or 1 if any will do: RECENCY
   *     is built for it
   */
  public static List<FilterSpec> candidates(
      FilterKind kind, long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    return Candidates.of(kind, memoryBytes, seed, stream, maxFpr);
  }
}
