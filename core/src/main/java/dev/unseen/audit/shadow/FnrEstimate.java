package dev.unseen.audit.shadow;

import dev.unseen.audit.AuditReport.MeasuredRate;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the share of the duplicates that were let through, from the followed keys and from the
 * totals that are known of all records.
 *
 * <p>A few popular keys may hold most of the duplicates of a stream. A sample of the keys has
 * either none of them or too many, so the share of errors <i>in the sample</i> is biased, and its
 * spread between the sampled keys is blind to keys that were not sampled: on Zipf's law with
 * exponent 1, a third to a half of the intervals missed. The remedy is to estimate from the sample
 * only what popular keys do not dominate, and to take the rest from known totals: R records, of
 * which A were let through.
 *
 * <pre>
 *   key k: was new v times (once, unless there is a window) and lost l of these times;
 *          e of its duplicates were let through;  a = v - l + e
 *   V new records = sum of v,   E duplicates let through = sum of e,   A = sum of a, known
 *   FNR = E / (R - V)
 * </pre>
 *
 * Each key counts once in V. And filters forget popular keys last, so e is small even where a key
 * came 100,000 times. With one in N keys followed and s the sums over these, E and V are estimated
 * by generalised regression on a (Särndal, Swensson and Wretman, <i>Model Assisted Survey
 * Sampling</i>, 1992, chapter 6; of keys as clusters, chapter 8):
 *
 * <pre>
 *   E = N s(e) + b (A - N s(a)),   b = s(e a) / s(a a)
 *   V = N s(v) + c (A - N s(a)),   c = s(v a) / s(a a)
 *   var FNR = n / (n - 1) * s((e + FNR v - (b + FNR c) a)^2) * N^2 / (R - V)^2
 * </pre>
 *
 * with n followed keys. Where errors are rare, b is near 0 and E is what the sample says; where
 * they are many, b is near 1 and E is A - V + lost, in which no key counts more than v times. The
 * variance is that of keys drawn independently, each with chance 1/N (Cochran, <i>Sampling
 * Techniques</i>, 1977, section 6.3, for the ratio), without a correction for a finite stream: a
 * large share of followed keys makes the interval wider than it need be.
 *
 * <p><b>Popular keys with many errors.</b> Some filters let all records of some popular keys
 * through (SAMPLED). If the sample has none of these, b from the sample is too low. So keys with
 * several errors count four times in b and c, as if there were more of them that the sample has
 * missed; and if A is above N s(a) by more than four standard errors, it has missed one for
 * certain, and the excess counts as that key. Both move b toward 1 and make the interval wider, and
 * neither matters while no key has two errors.
 *
 * <p><b>Windows.</b> Records in the last eighth of a window are neither new nor duplicates, g of a
 * key. Those of them that were let through are taken from A. If duplicates refresh a key, a popular
 * key is never that old, g is small, and duplicates are {@code R - V - N s(g)}. If they do not, an
 * eighth of a popular key's records are of that age; then duplicates are the share {@code s(t) /
 * s(t + g)} of R - V, with t duplicates of a key.
 *
 * <p>docs/decisions/0014-audit-estimator.md has the measurements, and the other methods that were
 * tried.
 */
final class FnrEstimate {
  private static final double UNSEEN =
      3; // assumed keys that the sample has missed, for each sampled key with several errors
  private static final double SURPRISE = 4; // standard errors

  private final KeySums repeats;
  private final double oneIn; // N
  private final double records; // R
  private final double admitted; // A, without records in the last eighth of a window
  private final double keys; // n
  private final double v; // this and the following: s(v) and so on
  private final double e;
  private final double a;
  private final double vv;
  private final double va;
  private final double ee;
  private final double ea;
  private final double aa;
  private final double kept; // v - l
  private final double keptSquared;
  private final double greyDropped;
  private final double greyAdmitted;
  private final double
      counted; // of the records that are not new, the share outside the last eighth of a window

  FnrEstimate(
      KeySums news,
      KeySums repeats,
      @Nullable WindowSums window,
      boolean refreshes,
      double oneIn,
      double records,
      double admitted) {
    this.repeats = repeats;
    this.oneIn = oneIn;
    this.records = records;
    keys = news.keys;
    v = news.trials;
    e = repeats.errors;
    kept = v - news.errors;
    vv = news.trialsSquared;
    ee = repeats.errorsSquared;
    keptSquared = vv - 2 * news.errorsTimesTrials + news.errorsSquared;
    // Without a window the product is not kept: it is computed as if lost keys had the errors of
    // others.
    double crossed = window == null ? e * kept / v : window.crossed;
    a = kept + e;
    ea = crossed + ee;
    aa = keptSquared + 2 * crossed + ee;
    va = vv - news.errorsTimesTrials + crossed * v / Math.max(1, kept);
    greyDropped = window == null ? 0 : window.dropped;
    greyAdmitted = window == null ? 0 : window.admitted;
    double grey = greyDropped + greyAdmitted;
    counted = refreshes || grey == 0 ? 1 : repeats.trials / (repeats.trials + grey);
    this.admitted = Math.max(0, admitted - oneIn * greyAdmitted);
  }

  MeasuredRate rate() {
    double gap = admitted - oneIn * a;
    double surprise = surprise(gap);
    if (repeats.trials == 0 || aa == 0 || (e == 0 && surprise == 0)) {
      return rateWithoutError();
    }
    double unseen = UNSEEN * (ee - e) + surprise;
    double b = (ea + unseen) / (aa + unseen);
    double c = va / (aa + unseen);
    double through = Math.max(0, oneIn * e + b * gap);
    double duplicates = duplicates(oneIn * v + c * gap, through);
    double rate = Math.min(1, through / duplicates);
    double perNew = rate * counted; // how the rate changes with one more new record
    double slope = b + perNew * c;
    double least = (1 - slope) * (1 - slope); // one error more or less in one key
    double squares = Math.max(squares(perNew, slope), least) + greySquares(rate, slope, duplicates);
    double variance = keys / Math.max(1, keys - 1) * squares * square(oneIn / duplicates);
    return ScoreInterval.of(rate, variance, keys, repeats.errors, repeats.trials);
  }

  /** Returns the square, in units of its scale, of what a key that was missed let through. */
  private double surprise(double gap) {
    return gap > 0 ? Math.max(0, gap * gap - square(SURPRISE * oneIn) * aa) / oneIn : 0;
  }

  /** Returns the number of duplicates, at least the known number, given that of new records. */
  private double duplicates(double news, double through) {
    double grey = counted == 1 ? oneIn * (greyDropped + greyAdmitted) : 0;
    double estimate = (records - news) * counted - grey;
    return Math.max(estimate, Math.max(through, (double) repeats.trials));
  }

  /** Returns the sum of (e + x v - y a)^2. */
  private double squares(double x, double y) {
    double ev = (ea - ee) * v / Math.max(1, kept);
    return ee + 2 * x * ev + x * x * vv - 2 * y * (ea + x * va) + y * y * aa;
  }

  /**
   * Returns what records in the last eighth of a window add to the variance. Few of them are
   * assumed to be grouped as the new records of a key are; otherwise keys are assumed to differ in
   * their share of them as much as possible.
   */
  private double greySquares(double rate, double slope, double duplicates) {
    double together = vv / v;
    double ofAdmitted = square(counted == 1 ? rate - slope : slope) * greyAdmitted * together;
    if (counted == 1) {
      return ofAdmitted + rate * rate * greyDropped * together;
    }
    double perDuplicate = rate * (1 - counted) * duplicates / (oneIn * repeats.trials);
    return ofAdmitted + square(perDuplicate) * repeats.trialsSquared;
  }

  /**
   * Returns the rate if no error was seen, by the lower of two bounds: either each key counts as if
   * its records stood or fell together, or the records that were let through bound the errors:
   * {@code E = A - sum (v - l)}.
   */
  private MeasuredRate rateWithoutError() {
    MeasuredRate together = repeats.rate();
    if (repeats.trials == 0) {
      return together;
    }
    double spread =
        ScoreInterval.studentQuantile(keys - 1) * oneIn * Math.sqrt(keptSquared + greyAdmitted + 1);
    double through = Math.max(0, admitted - oneIn * kept) + spread;
    double duplicates = duplicates(admitted - through + oneIn * (v - kept), through);
    double high = Math.min(together.high(), Math.min(1, through / duplicates));
    return new MeasuredRate(0, 0, high, 0, repeats.trials);
  }

  private static double square(double x) {
    return x * x;
  }
}
