package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The knowledge of the planner about one kind of filter. A new kind adds its own profile here.
 *
 * @param candidates the settings that are worth planning
 * @param model the model that predicts the errors
 * @param resets the rule for resetting bits, for the kinds that {@link MeanFieldModel} predicts
 */
record KindProfile(Candidates candidates, Model model, Optional<ResetRule> resets) {
  private static final int[] FORGETTING = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16};
  private static final int[] RESERVOIR = {1, 2, 3, 4, 6, 8};
  private static final int[] BLOOM = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32};

  private static final Map<FilterKind, KindProfile> PROFILES = new EnumMap<>(FilterKind.class);

  static {
    for (FilterKind kind : FilterKind.values()) {
      PROFILES.put(kind, create(kind));
    }
  }

  /** Lists the filters of one kind that are worth considering, the default one first. */
  interface Candidates {
    /** Returns the filters that lose at most this share of new records, or 1 for no limit. */
    List<FilterSpec> of(long memoryBytes, long seed, StreamModel stream, double maxFpr);
  }

  /** Predicts the errors of filters of one kind. */
  interface Model {
    /** Returns the predicted errors; on an endless stream, those that the filter settles at. */
    Prediction predict(FilterSpec spec, StreamModel stream);
  }

  static KindProfile of(FilterKind kind) {
    return Objects.requireNonNull(PROFILES.get(kind));
  }

  private static KindProfile create(FilterKind kind) {
    return switch (kind) {
      case BLOOM -> ofBits(kind, ResetRule.NONE, BLOOM);
      case SBF -> ofBits(kind, ResetRule.EACH_RECORD, FORGETTING);
      case BSBF -> ofBits(kind, ResetRule.ONE_IN_EACH_BANK, FORGETTING);
      case BSBFSD -> ofBits(kind, ResetRule.ONE_IN_ONE_BANK, FORGETTING);
      case RLBSBF -> ofBits(kind, ResetRule.BY_LOAD, FORGETTING);
      case RSBF -> {
        KindProfile bits = ofBits(kind, ResetRule.RESERVOIR, RESERVOIR);
        yield new KindProfile(
            bits.candidates,
            (spec, stream) -> MiniatureModel.predictOr(bits.model, spec, stream),
            bits.resets);
      }
      case SAMPLED ->
          new KindProfile(
              SampledFilterModel::candidates, SampledFilterModel::predict, Optional.empty());
      case RECENCY ->
          new KindProfile(
              RecencyFilterModel::candidates, RecencyFilterModel::predict, Optional.empty());
    };
  }

  private static KindProfile ofBits(FilterKind kind, ResetRule resets, int... hashes) {
    return new KindProfile(
        (memoryBytes, seed, stream, maxFpr) ->
            MeanFieldModel.candidates(kind, memoryBytes, seed, hashes),
        MeanFieldModel::predict,
        Optional.of(resets));
  }
}
