package dev.unseen.plan;

import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.predict.Prediction;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Print;

/**
 * One filter that could be taken, and what it would get wrong.
 *
 * @param spec the filter
 * @param prediction its rates
 * @param lostPerMillion of a million records, the new ones that it would lose
 * @param passedPerMillion of a million records, the duplicates that it would let through
 */
public record PlanOption(
    FilterSpec spec, Prediction prediction, double lostPerMillion, double passedPerMillion) {

  /** What the filter would do on the stream. */
  static PlanOption of(FilterSpec spec, StreamModel stream) {
    Prediction prediction = Predictions.of(spec, stream);
    double newShare = stream.newShare();
    return new PlanOption(
        spec,
        prediction,
        1e6 * newShare * prediction.fpr(),
        1e6 * (1 - newShare) * prediction.fnr());
  }

  /** Both kinds of error, of a million records. */
  public double wrongPerMillion() {
    return lostPerMillion + passedPerMillion;
  }

  /** {@code bloom k=5 with 0.814 % FPR and 0 % FNR}. */
  String describe() {
    return "%s with %s FPR and %s FNR"
        .formatted(
            spec.describe(), Print.percent(prediction.fpr()), Print.percent(prediction.fnr()));
  }
}
