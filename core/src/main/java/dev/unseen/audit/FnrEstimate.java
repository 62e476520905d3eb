package dev.unseen.audit;

/**
 * Estimates the share of the duplicates that were let through, from the followed keys and from the
 * totals that are known of all records.
 *
 * <p>A few popular keys may hold most of the duplicates of a stream. A sample of the keys has
 * either none of them or too many, so errors among duplicates <i>in the sample</i> is a biased
 * rate, and its spread between the sampled keys is blind to keys that were not sampled: on Zipf's
 * law with exponent 1 half of those intervals missed. The remedy is to estimate from the sample
 * only what popular keys do not dominate, and to take the rest from known totals: R records, of
 * which A were let through.
 *
 * <pre>
 *   key k: came first once; l = 1 if it was lost then; e of its duplicates were let through;
 *          a = 1 - l + e records let through in all
 *   D distinct keys = sum of 1,   E duplicates let through = sum of e,   A = sum of a, known
 *   FNR = E / (R - D)
 * </pre>
 *
 * Each key counts once in D. And filters forget popular keys last, so e is small even where a key
 * came 100,000 times. With one in N keys followed and s the sums over these, D and E are estimated
 * by generalised regression on a (Särndal, Swensson and Wretman, <i>Model Assisted Survey
 * Sampling</i>, 1992, chapter 6; of keys as clusters, chapter 8):
 *
 * <pre>
 *   E = N s(e) + b (A - N s(a)),   b = s(e a) / s(a a)
 *   D = N s(1) + c (A - N s(a)),   c = s(a) / s(a a)
 *   var FNR = n / (n - 1) * s((e + FNR - (b + FNR c) a)^2) * N^2 / (R - D)^2
 * </pre>
 *
 * with n followed keys. Where errors are rare, b is near 0 and E is what the sample says; where
 * they are many, b is near 1 and E is A - D + lost, in which no key counts more than once. The
 * variance is that of keys drawn independently, each with chance 1/N (Cochran, <i>Sampling
 * Techniques</i>, 1977, section 6.3, for the ratio), without a correction for a finite stream: a
 * large share of followed keys makes the interval wider than it need be.
 *
 * <p>Some filters do let all records of some popular keys through (SAMPLED). If the sample has none
 * of these, b from the sample is too low. So keys with several errors count four times in b and c,
 * as if there were more such keys that the sample has missed; and if A is above N s(a) by more than
 * four standard errors, it has missed one for certain, and the excess counts as that key. Both move
 * b towards 1 and make the interval wider, and neither matters while no key has two errors.
 * docs/decisions/0014-audit-estimator.md has the measurements.
 */
final class FnrEstimate {
  private static final double UNSEEN = 3; // keys like those with several errors, for each sampled
  private static final double SURPRISE = 4; // standard errors

  private FnrEstimate() {}

  /**
   * Returns the rate of a filter without a window.
   *
   * @param news of the followed keys, their first records
   * @param repeats of the followed keys, all other records
   * @param oneIn of so many keys, one is followed
   * @param records of all keys
   * @param admitted of all records, those let through
   */
  static MeasuredRate withoutWindow(
      KeySums news, KeySums repeats, double oneIn, double records, double admitted) {
    double n = news.trials();
    double e = repeats.errors();
    double ee = repeats.errorsSquared();
    double kept = n - news.errors(); // the sum of 1 - l
    double keptErrors = e * kept / n; // of (1 - l) e, as if lost keys had the errors of others
    double a = kept + e;
    double ea = keptErrors + ee;
    double aa = kept + 2 * keptErrors + ee;
    double gap = admitted - oneIn * a;
    double surprise = surprise(gap, oneIn, aa);
    if (repeats.trials() == 0 || aa == 0 || (e == 0 && surprise == 0)) {
      return noError(kept, n - kept, repeats, oneIn, records, admitted);
    }
    double unseen = UNSEEN * (ee - e) + surprise;
    double b = (ea + unseen) / (aa + unseen);
    double c = a / (aa + unseen);
    double through = Math.max(0, oneIn * e + b * gap);
    double duplicates = duplicates(records - oneIn * n - c * gap, through, repeats);
    double rate = Math.min(1, through / duplicates);
    double slope = b + rate * c;
    double squares =
        ee + 2 * rate * e + rate * rate * n - 2 * slope * (ea + rate * a) + slope * slope * aa;
    double least = (1 - slope) * (1 - slope); // one error more or less in one key
    return rate(rate, Math.max(squares, least), oneIn / duplicates, n, repeats);
  }

  /** The square of what a key that the sample has missed must have let through, to its scale. */
  private static double surprise(double gap, double oneIn, double aa) {
    double usual = SURPRISE * oneIn;
    return gap > 0 ? Math.max(0, gap * gap - usual * usual * aa) / oneIn : 0;
  }

  /**
   * Without an error seen there is no spread to measure. Either each key counts as if its records
   * stood or fell together, the worst that can be; or what was let through bounds the errors:
   * {@code E = A - sum (1 - l)}. The lower of both bounds holds.
   */
  private static MeasuredRate noError(
      double kept, double lost, KeySums repeats, double oneIn, double records, double admitted) {
    MeasuredRate together = repeats.rate();
    if (repeats.trials() == 0) {
      return together;
    }
    double spread = ScoreInterval.studentQuantile(kept + lost - 1) * oneIn * Math.sqrt(kept + 1);
    double through = Math.max(0, admitted - oneIn * kept) + spread;
    double duplicates = duplicates(records - admitted + through - oneIn * lost, through, repeats);
    double high = Math.min(together.high(), Math.min(1, through / duplicates));
    return new MeasuredRate(0, 0, high, 0, repeats.trials());
  }

  /**
   * Returns the rate of a filter with a window. A key can be new several times, v of them; the g
   * records in the last eighth of a window count neither as new nor as duplicates. What was let
   * through among these is not kept, so A is of no use:
   *
   * <pre>
   *   E = N s(e),   duplicates = R - N s(v) - N s(g)
   * </pre>
   *
   * If duplicates refresh a key, a popular key is never that old, and v and g are small. If they do
   * not, a popular key is in the last eighth an eighth of the time, and g is an eighth of its
   * records; then duplicates are the share {@code s(t) / s(t + g)} of R - N s(v), with t duplicates
   * of a key. The sums of e v and of squares of g are not kept: e and v are taken to be
   * independent, and keys to differ in g as much as in v, or, without a refresh, as in t.
   *
   * @param grey of the followed keys, the records in the last eighth
   */
  static MeasuredRate withWindow(
      KeySums news, KeySums repeats, double grey, boolean refreshes, double oneIn, double records) {
    if (repeats.errors() == 0) {
      return repeats.rate();
    }
    double v = news.trials();
    double t = repeats.trials();
    double counted = refreshes ? 1 : t / (t + grey); // of the records that are not new
    double notDuplicates = refreshes ? v + grey : v;
    double through = oneIn * repeats.errors();
    double duplicates = duplicates((records - oneIn * notDuplicates) * counted, through, repeats);
    double rate = Math.min(1, through / duplicates);
    double perNew = rate * counted * notDuplicates / v; // what a key's v adds to its e
    double greyPart = rate * (1 - counted) * duplicates / (oneIn * t); // what its t adds, or takes
    double squares =
        repeats.errorsSquared()
            + 2 * perNew * repeats.errors() * v / news.keys()
            + perNew * perNew * news.trialsSquared()
            + greyPart * greyPart * repeats.trialsSquared();
    return rate(rate, squares, oneIn / duplicates, (double) news.keys(), repeats);
  }

  /** No fewer than were let through, or than the followed keys alone have. */
  private static double duplicates(double estimate, double through, KeySums repeats) {
    return Math.max(estimate, Math.max(through, (double) repeats.trials()));
  }

  private static MeasuredRate rate(
      double rate, double squares, double scale, double keys, KeySums repeats) {
    double variance = keys / Math.max(1, keys - 1) * squares * scale * scale;
    return ScoreInterval.of(rate, variance, keys, repeats.errors(), repeats.trials());
  }
}
