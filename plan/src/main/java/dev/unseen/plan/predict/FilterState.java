package dev.unseen.plan.predict;

/**
 * The state of a filter at one moment in the mean-field model. All chances are per arriving record.
 *
 * @param load the share of a bank's positions that are set: the true value of the paper's X^(1/k)
 * @param firstChance y: the chance that the record is the first of its key
 * @param falsePositive the chance that it is a first record and reported duplicate
 * @param falseNegative the chance that it is a duplicate and reported distinct
 * @param gain the chance that its position in a given bank is clear
 */
record FilterState(
    double load, double firstChance, double falsePositive, double falseNegative, double gain) {

  /** The state before the first record. */
  static final FilterState EMPTY = new FilterState(0, 1, 0, 0, 1);

  double reportedDistinct() {
    return firstChance - falsePositive + falseNegative;
  }
}
