package dev.unseen.lab.trial;

import java.util.List;

/**
 * The errors of a filter after a number of records.
 *
 * <p>Rates are conditional: shares of the distinct records (first occurrences), and of the
 * duplicates.
 */
public record Tally(
    long records, long distinct, long falsePositives, long falseNegatives, double load) {
  private static final double SETTLED = 0.05;

  public long duplicates() {
    return records - distinct;
  }

  /** Returns the share of the distinct records that were treated as duplicates, and lost. */
  public double fpr() {
    return rate(falsePositives, distinct);
  }

  /** Returns the share of the duplicates that were treated as new, and let through. */
  public double fnr() {
    return rate(falseNegatives, duplicates());
  }

  /** Returns the standard error of {@link #fpr}, for independent events. */
  public double fprSe() {
    return standardError(falsePositives, distinct);
  }

  /** Returns the standard error of {@link #fnr}, for independent events. */
  public double fnrSe() {
    return standardError(falseNegatives, duplicates());
  }

  /** Returns the part of a run that follows an earlier tally of it. */
  public Tally since(Tally before) {
    return new Tally(
        records - before.records,
        distinct - before.distinct,
        falsePositives - before.falsePositives,
        falseNegatives - before.falseNegatives,
        load);
  }

  /** Returns the sum of two runs. The load is the larger one. */
  public Tally plus(Tally other) {
    return new Tally(
        records + other.records,
        distinct + other.distinct,
        falsePositives + other.falsePositives,
        falseNegatives + other.falseNegatives,
        Math.max(load, other.load));
  }

  /** Returns the standard deviation of the FNR of a sample of runs; NaN for less than two. */
  public static double fnrDeviation(List<Tally> runs) {
    double mean = runs.stream().mapToDouble(Tally::fnr).average().orElse(0);
    double squares = runs.stream().mapToDouble(run -> Math.pow(run.fnr() - mean, 2)).sum();
    return runs.size() < 2 ? Double.NaN : Math.sqrt(squares / (runs.size() - 1));
  }

  /**
   * Returns the number of records after which the load stays within 5 % of its last value. Between
   * two tallies it is interpolated.
   */
  public static double recordsUntilSettled(List<Tally> along) {
    double last = along.get(along.size() - 1).load;
    int inside = along.size() - 1;
    while (inside > 0 && Math.abs(along.get(inside - 1).load - last) <= SETTLED * last) {
      inside--;
    }
    Tally before = inside == 0 ? new Tally(0, 0, 0, 0, 0) : along.get(inside - 1);
    Tally after = along.get(inside);
    double limit = last * (before.load < last ? 1 - SETTLED : 1 + SETTLED);
    double share = (limit - before.load) / (after.load - before.load);
    return before.records + share * (after.records - before.records);
  }

  private static double rate(long events, long trials) {
    return trials == 0 ? 0 : (double) events / trials;
  }

  private static double standardError(long events, long trials) {
    double p = rate(events, trials);
    return trials == 0 ? 0 : Math.sqrt(p * (1 - p) / trials);
  }
}
