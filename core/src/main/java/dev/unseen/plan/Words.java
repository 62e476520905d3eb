package dev.unseen.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people read them. */
final class Words {
  private static final String[] BYTES = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Words() {}

  /** {@code 0.81 %}, with three digits that count. */
  static String percent(double rate) {
    double value = 100 * rate;
    return value != 0 && Math.abs(value) < 1e-4
        ? String.format(Locale.ROOT, "%.1e %%", value)
        : digits(value) + " %";
  }

  /** {@code 600 million}. */
  static String count(double count) {
    if (count >= 1e9) {
      return digits(count / 1e9) + " billion";
    }
    return count >= 1e6 ? digits(count / 1e6) + " million" : grouped(count);
  }

  private static String grouped(double count) {
    return String.format(Locale.ROOT, "%,.0f", count);
  }

  /** {@code 512 MiB}. */
  static String bytes(long bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BYTES.length - 1) {
      value /= 1024;
      unit++;
    }
    return (value >= 100 ? grouped(value) : digits(value)) + " " + BYTES[unit];
  }

  private static String digits(double value) {
    return BigDecimal.valueOf(value)
        .round(new MathContext(3, RoundingMode.HALF_UP))
        .stripTrailingZeros()
        .toPlainString();
  }
}
