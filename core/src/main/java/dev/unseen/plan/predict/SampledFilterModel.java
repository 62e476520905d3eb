package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;

/**
 * Predicts the errors of SAMPLED. It holds a share q of the keys in M bits, as full as a plain
 * Bloom filter of M/q bits with all keys: of the new keys, q may be lost, at that filter's rate. Of
 * the duplicates, all but q pass.
 */
final class SampledFilterModel {
  private SampledFilterModel() {}

  static Prediction predict(FilterSpec spec, StreamModel stream) {
    double share = spec.share();
    long bytes = Math.round(Math.min(FilterSpec.MAX_MEMORY_BYTES, spec.memoryBytes() / share));
    FilterSpec bloom = FilterSpec.builder(FilterKind.BLOOM, bytes).hashes(spec.hashes()).build();
    Prediction all = MeanFieldModel.predict(bloom, stream);
    return new Prediction(
        share * all.fpr(),
        1 - share,
        all.finalLoad(),
        all.moments().stream()
            .map(
                m ->
                    new Prediction.Moment(
                        m.records(),
                        m.load(),
                        share * m.fpr(),
                        1 - share,
                        share * m.fprSoFar(),
                        1 - share))
            .toList());
  }
}
