package dev.unseen.plan.predict;

/**
 * Predicts how often a filter is wrong on a stream. Rates are conditional, 0 to 1.
 *
 * @param fpr the false positive rate: the share of the new records that are reported duplicate, and
 *     lost
 * @param fnr the false negative rate: the share of the duplicates that are reported distinct, and
 *     let through
 * @param finalFpr the false positive rate at the end of the stream
 * @param finalFnr the false negative rate at the end of the stream
 * @param finalLoad the share of positions that are set at the end
 */
public record Prediction(
    double fpr, double fnr, double finalFpr, double finalFnr, double finalLoad) {}
