package dev.unseen.plan.predict;

import java.util.List;

/**
 * How often a filter will be wrong on a stream. Rates are conditional and in 0..1.
 *
 * @param fpr of the first records of their keys, the share that is reported duplicate, and lost
 * @param fnr of the duplicates, the share that is reported distinct, and let through
 * @param finalLoad the share of positions that are set at the end
 * @param moments the same along the stream, from the first record to the last
 */
public record Prediction(double fpr, double fnr, double finalLoad, List<Moment> moments) {
  /** Copies the list. */
  public Prediction {
    moments = List.copyOf(moments);
  }

  /**
   * One moment of a stream.
   *
   * @param records how many have passed
   * @param load the share of positions that are set
   * @param fpr the rate at this moment
   * @param fnr the rate at this moment
   * @param fprSoFar the rate over all records so far
   * @param fnrSoFar the rate over all records so far
   */
  public record Moment(
      double records, double load, double fpr, double fnr, double fprSoFar, double fnrSoFar) {}
}
