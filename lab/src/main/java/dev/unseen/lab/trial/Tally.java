package dev.unseen.lab.trial;

/**
 * What a filter had got wrong when so many records had passed.
 *
 * <p>Rates are conditional: of the distinct records (first occurrences), and of the duplicates.
 */
public record Tally(
    long records, long distinct, long falsePositives, long falseNegatives, double load) {

  /** The duplicates among the records. */
  public long duplicates() {
    return records - distinct;
  }

  /** The share of the distinct records that were taken for duplicates: lost. */
  public double fpr() {
    return rate(falsePositives, distinct);
  }

  /** The share of the duplicates that were taken for new: let through. */
  public double fnr() {
    return rate(falseNegatives, duplicates());
  }

  /** The standard error of {@link #fpr}, of independent events. */
  public double fprSe() {
    return standardError(falsePositives, distinct);
  }

  /** The standard error of {@link #fnr}, of independent events. */
  public double fnrSe() {
    return standardError(falseNegatives, duplicates());
  }

  /** Both together, of two runs; the load is the larger one. */
  public Tally plus(Tally other) {
    return new Tally(
        records + other.records,
        distinct + other.distinct,
        falsePositives + other.falsePositives,
        falseNegatives + other.falseNegatives,
        Math.max(load, other.load));
  }

  private static double rate(long events, long trials) {
    return trials == 0 ? 0 : (double) events / trials;
  }

  private static double standardError(long events, long trials) {
    double p = rate(events, trials);
    return trials == 0 ? 0 : Math.sqrt(p * (1 - p) / trials);
  }
}
