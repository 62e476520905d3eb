package dev.unseen.plan.predict;

import java.util.List;

/**
 * Predicts how often a filter is wrong on a stream. Rates are conditional, 0 to 1.
 *
 * @param fpr the false positive rate: the share of the new records that are reported duplicate, and
 *     lost
 * @param fnr the false negative rate: the share of the duplicates that are reported distinct, and
 *     let through
 * @param finalLoad the share of positions that are set at the end
 * @param moments the rates along the stream, from the first record to the last
 */
public record Prediction(double fpr, double fnr, double finalLoad, List<Moment> moments) {
  /** Copies the list. */
  public Prediction {
    moments = List.copyOf(moments);
  }

  /**
   * The prediction for one moment of a stream.
   *
   * @param records the number of records that have passed
   * @param load the share of positions that are set
   * @param fpr the false positive rate at this moment
   * @param fnr the false negative rate at this moment
   * @param fprSoFar the false positive rate over all records so far
   * @param fnrSoFar the false negative rate over all records so far
   */
  public record Moment(
      double records, double load, double fpr, double fnr, double fprSoFar, double fnrSoFar) {}
}
