package dev.unseen.plan;

import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.predict.Prediction;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Print;

/**
 * A possible filter and its predicted errors.
 *
 * @param spec the spec of the filter
 * @param prediction its predicted rates
 * @param lostPerMillion the number of new records that it would lose, per million records
 * @param passedPerMillion the number of duplicates that it would let through, per million records
 */
public record PlanOption(
    FilterSpec spec, Prediction prediction, double lostPerMillion, double passedPerMillion) {

  static PlanOption of(FilterSpec spec, StreamModel stream) {
    Prediction prediction = Predictions.of(spec, stream);
    double newShare = stream.newShare();
    return new PlanOption(
        spec,
        prediction,
        1e6 * newShare * prediction.fpr(),
        1e6 * (1 - newShare) * prediction.fnr());
  }

  /** Returns the number of errors of both kinds, per million records. */
  public double wrongPerMillion() {
    return lostPerMillion + passedPerMillion;
  }

  /** Returns a description: {@code bloom k=5 with an FPR of 0.814 % and an FNR of 0 %}. */
  String describe() {
    return "%s with an FPR of %s and an FNR of %s"
        .formatted(spec.describe(), Print.rate(prediction.fpr()), Print.rate(prediction.fnr()));
  }
}
