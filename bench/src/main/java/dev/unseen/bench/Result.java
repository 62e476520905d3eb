package dev.unseen.bench;

/**
 * What was measured of one contestant.
 *
 * @param memoryBytes what it has, which may be less than the scenario offers
 * @param nanos of the processor for a record, the median of the rounds
 * @param wallNanos the same by the clock on the wall, which other processes slow
 * @param admitted the share of the records that were taken for new, in the last round
 * @param load after the last round
 * @param lines the cache lines that a record touches on average
 */
record Result(
    String name,
    Role role,
    Scenario scenario,
    long memoryBytes,
    double nanos,
    double wallNanos,
    double admitted,
    double load,
    double lines) {
  /** Million records a second. */
  double mops() {
    return 1e3 / nanos;
  }
}
