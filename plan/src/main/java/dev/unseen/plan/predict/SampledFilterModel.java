package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the errors of SAMPLED. It stores a share q of the keys in M bits, so it is as full as a
 * plain Bloom filter of M/q bits with all keys. Of the new keys, only the share q can be lost, at
 * that filter's rate. Of the duplicates, all outside the share q pass.
 */
final class SampledFilterModel {
  private static final int[] HASHES = {1, 2, 3, 4, 5, 6, 8};
  private static final int[] PERCENTS = {
    98, 95, 92, 90, 88, 85, 82, 80, 77, 75, 70, 65, 60, 55, 50, 40, 30, 20, 10, 5
  };

  private SampledFilterModel() {}

  /** Returns the default filter first, then each number of hashes with each share. */
  static List<FilterSpec> candidates(
      long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    List<FilterSpec> specs = new ArrayList<>();
    specs.add(FilterSpec.builder(FilterKind.SAMPLED, memoryBytes).seed(seed).build());
    for (int k : HASHES) {
      for (int percent : PERCENTS) {
        specs.add(
            FilterSpec.builder(FilterKind.SAMPLED, memoryBytes)
                .seed(seed)
                .hashes(k)
                .set(Parameter.SHARE, percent / 100.0)
                .build());
      }
    }
    return specs;
  }

  /** Returns the share of the duplicates whose keys are not stored, and which pass. */
  static double fnr(FilterSpec spec) {
    return 1 - spec.get(Parameter.SHARE);
  }

  static Prediction predict(FilterSpec spec, StreamModel stream) {
    double share = spec.get(Parameter.SHARE);
    long bytes = Math.round(Math.min(FilterSpec.MAX_MEMORY_BYTES, spec.memoryBytes() / share));
    FilterSpec bloom = FilterSpec.builder(FilterKind.BLOOM, bytes).hashes(spec.hashes()).build();
    Prediction all = MeanFieldModel.predict(bloom, stream);
    return new Prediction(
        share * all.fpr(), fnr(spec), share * all.finalFpr(), fnr(spec), all.finalLoad());
  }
}
