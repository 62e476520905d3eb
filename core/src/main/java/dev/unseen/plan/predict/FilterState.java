package dev.unseen.plan.predict;

/**
 * What the mean-field model knows of a filter at one moment. All chances are per arriving record.
 *
 * @param load the paper's X^(1/k) as it really is: the share of a bank's positions that are set
 * @param firstChance y: the record is the first of its key
 * @param falsePositive it is a first one and reported duplicate
 * @param falseNegative it is a duplicate and reported distinct
 * @param gain it finds its position in a given bank clear
 */
record FilterState(
    double load, double firstChance, double falsePositive, double falseNegative, double gain) {

  /** Before the first record. */
  static final FilterState EMPTY = new FilterState(0, 1, 0, 0, 1);

  /** The chance that the record is reported distinct. */
  double reportedDistinct() {
    return firstChance - falsePositive + falseNegative;
  }
}
