package dev.unseen.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {
  private Numbers() {}

  /** {@code 0.651 %}, three digits that count; {@code 0}; {@code 3.1e-07 %}. */
  public static String percent(double rate) {
    if (rate == 0) {
      return "0 %";
    }
    double value = 100 * rate;
    return value < 1e-4
        ? String.format(Locale.ROOT, "%.1e %%", value)
        : rounded(value).toPlainString() + " %";
  }

  /** {@code 600 million}, {@code 95,607}. */
  public static String count(double count) {
    if (count >= 1e9) {
      return plain(count / 1e9) + " billion";
    }
    return count >= 1e6
        ? plain(count / 1e6) + " million"
        : String.format(Locale.ROOT, "%,.0f", count);
  }

  /** Of a million records: {@code 12,474}, {@code 6.5}, {@code 0.0043}. */
  public static String perMillion(double count) {
    if (count == 0 || count >= 100) {
      return String.format(Locale.ROOT, "%,.0f", count);
    }
    return count < 1e-4
        ? String.format(Locale.ROOT, "%.0e", count)
        : new BigDecimal(count).round(new MathContext(2, RoundingMode.HALF_UP)).toPlainString();
  }

  /** {@code 512 MiB}, {@code 2.1 GiB}. */
  public static String bytes(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return plain(value) + " " + units[unit];
  }

  private static String plain(double value) {
    return value >= 1000
        ? String.format(Locale.ROOT, "%.0f", value)
        : rounded(value).stripTrailingZeros().toPlainString();
  }

  private static BigDecimal rounded(double value) {
    return new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
  }
}
