package dev.unseen.plan;

import dev.unseen.filter.FilterSpec;

/** Which model predicts which kind of filter: the one place where a new kind brings its own. */
public final class Predictions {
  private Predictions() {}

  /** The errors of this filter on this stream. On an endless stream, the rates it settles at. */
  public static Prediction of(FilterSpec spec, StreamModel stream) {
    return switch (spec.kind()) {
      case SBF, RSBF, RSBF_MEASURED, BSBF, BSBFSD, RLBSBF, BLOOM, BSBF_BLOCKED, RLBSBF_BLOCKED ->
          MeanFieldModel.predict(spec, stream);
      case RECENCY ->
          stream instanceof SampledModel sample && sample.links().isPresent()
              ? LineSample.predict(spec, sample.links().get())
              : LineModel.predict(spec, stream);
      case SAMPLED -> SampledLaw.predict(spec, stream);
    };
  }
}
