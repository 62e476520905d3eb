package dev.unseen.audit.shadow;

import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Errors and trials, summed over keys, with what the spread between keys needs.
 *
 * <p>Records of one key are not independent of each other: a key that was forgotten once tends to
 * be forgotten again. What is independent is the choice of the keys. So the rate is a ratio of two
 * sums over a random sample of keys, and its variance is that of a ratio estimator (Cochran,
 * <i>Sampling Techniques</i>, 1977, section 6.3):
 *
 * <pre>
 *   r = E / T,   var = K / (K - 1) * sum (e - r t)^2 / T^2,
 *   sum (e - r t)^2 = sum e^2 - 2 r sum e t + r^2 sum t^2
 * </pre>
 *
 * with e errors in t trials of one key, and K keys. The sums of squares are kept as the counts
 * grow, so no key has to be looked at again.
 *
 * <p>The interval is Wilson's, which is right for rare errors too, with the number of trials that
 * independent ones would have needed for the same variance (the design effect), and Student's
 * quantile in the place of the normal one. Without a single error there is no spread to measure;
 * then each key counts as if its records stood or fell together, which is the worst that can be:
 * {@code T^2 / sum t^2} trials.
 *
 * <p>This is fair where no key has many more trials than others: of new records, since a key is new
 * once, or once in a window. Of duplicates it is not; see {@link FnrEstimate}.
 */
final class KeySums {
  private static final double ROUNDING =
      1e-6; // of sums that are too large for a double to hold exactly

  long errors;
  long trials;
  long keys;
  double errorsSquared;
  double errorsTimesTrials;
  double trialsSquared;

  /** Adds one more trial of a key that had this many errors and trials. */
  void add(long keyErrors, long keyTrials, boolean error) {
    long more = error ? 1 : 0;
    errors += more;
    trials++;
    keys += keyTrials == 0 ? 1 : 0;
    errorsSquared += error ? 2 * keyErrors + 1 : 0;
    errorsTimesTrials += keyErrors + more * (keyTrials + 1);
    trialsSquared += 2 * keyTrials + 1;
  }

  /** Adds the errors and trials of a key to these two sums only. */
  void addKey(long keyErrors, long keyTrials) {
    errors += keyErrors;
    trials += keyTrials;
  }

  /** Rejects sums that are smaller than those of some of the keys. */
  void requireAtLeast(KeySums some) {
    if (errors < some.errors || trials - errors < some.trials - some.errors) {
      throw new IllegalArgumentException(
          "audited errors and trials (%d of %d) must be at least those of the followed keys (%d of %d)"
              .formatted(errors, trials, some.errors, some.trials));
    }
  }

  void addAll(KeySums other) {
    errors += other.errors;
    trials += other.trials;
    keys += other.keys;
    errorsSquared += other.errorsSquared;
    errorsTimesTrials += other.errorsTimesTrials;
    trialsSquared += other.trialsSquared;
  }

  void state(StateVisitor visitor) throws IOException {
    errors = visitor.count("audited errors", errors);
    trials = visitor.number("audited trials", Math.min(trials, Counts.MOST), errors, Counts.MOST);
    keys = visitor.number("audited keys", Math.min(keys, trials), Math.min(1, trials), trials);
    double e = (double) errors;
    double t = (double) trials;
    errorsSquared = sum("audited errors, squared", errorsSquared, e, e * e, visitor);
    errorsTimesTrials =
        sum("audited errors times trials", errorsTimesTrials, errorsSquared, e * t, visitor);
    trialsSquared = sum("audited trials, squared", trialsSquared, t, t * t, visitor);
  }

  /**
   * Visits a sum over keys, between its values for equal keys and for one key, apart from rounding.
   */
  private static double sum(String name, double value, double min, double max, StateVisitor visitor)
      throws IOException {
    return visitor.real(name, value, min * (1 - ROUNDING), max * (1 + ROUNDING));
  }

  /** Returns the rate of errors, with an interval from the spread between the keys. */
  MeasuredRate rate() {
    if (trials == 0) {
      return new MeasuredRate(0, 0, 1, 0, 0);
    }
    double rate = (double) errors / trials;
    double independent = (double) trials * trials / trialsSquared;
    double n = effectiveTrials(rate, independent);
    return ScoreInterval.ofTrials(rate, n, independent, errors, trials);
  }

  private double effectiveTrials(double rate, double independent) {
    double spread =
        errorsSquared - 2 * rate * errorsTimesTrials + rate * rate * trialsSquared; // sum (e-rt)^2
    if (keys < 2 || errors == 0 || errors == trials || spread <= 0) {
      return independent;
    }
    double variance = (double) keys / (keys - 1) * spread / ((double) trials * trials);
    return Math.min((double) trials, rate * (1 - rate) / variance);
  }
}
