package dev.unseen.cli;

import dev.unseen.filter.DuplicateFilter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * What a run came to, in one line for people.
 *
 * @param records taken in
 * @param fresh let through
 * @param seconds it took
 * @param filter how it stands at the end
 */
record Summary(long records, long fresh, double seconds, DuplicateFilter filter) {

  @Override
  public String toString() {
    long duplicates = records - fresh;
    return String.format(
        Locale.ROOT,
        "%,d %s, %,d new, %,d %s in %.2f s (%s/s); %s, load %s, a new record is lost with chance %s",
        records,
        records == 1 ? "record" : "records",
        fresh,
        duplicates,
        duplicates == 1 ? "duplicate" : "duplicates",
        seconds,
        rate(records / Math.max(seconds, 1e-9)),
        filter.spec().describe(),
        percent(filter.load()),
        twoDigits(filter.estimatedFpr()));
  }

  /** {@code 1.3 %}. */
  static String percent(double share) {
    return share > 0 && share < 1e-5 ? "<0.001 %" : twoDigits(100 * share) + " %";
  }

  /** {@code 1.9 M}, {@code 850 k}, {@code 12}. */
  static String rate(double perSecond) {
    if (perSecond >= 999_500) {
      return twoDigits(perSecond / 1e6) + " M";
    }
    return perSecond >= 999.5 ? twoDigits(perSecond / 1e3) + " k" : twoDigits(perSecond);
  }

  /** Two digits that count, or all before the point: {@code 0.13}, {@code 412}, {@code 4e-15}. */
  static String twoDigits(double value) {
    if (value >= 99.5) {
      return Long.toString(Math.round(value));
    }
    if (value > 0 && value < 0.001) {
      int exponent = (int) Math.floor(Math.log10(value));
      long digit = Math.round(value / Math.pow(10, exponent));
      return digit == 10 ? "1e" + (exponent + 1) : digit + "e" + exponent;
    }
    MathContext two = new MathContext(2, RoundingMode.HALF_UP);
    return BigDecimal.valueOf(value).round(two).stripTrailingZeros().toPlainString();
  }
}
