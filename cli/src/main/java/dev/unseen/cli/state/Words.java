package dev.unseen.cli.state;

import dev.unseen.audit.MeasuredRate;
import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them. */
final class Words {
  private Words() {}

  /** {@code 12.3 %}, {@code 0.0041 %}, {@code 0 %}: three digits that count. */
  static String percent(double share) {
    double value = 100 * share;
    if (value == 0 || value >= 99.95) {
      return String.format(Locale.ROOT, "%.0f %%", value);
    }
    if (value < 1e-4) {
      return String.format(Locale.ROOT, "%.1e %%", value);
    }
    int decimals = (int) Math.max(0, 2 - Math.floor(Math.log10(value)));
    return String.format(Locale.ROOT, "%." + decimals + "f %%", value);
  }

  /** {@code 0.12 %, between 0.05 % and 0.31 % (95 %); 4 in 3,120}. */
  static String measured(MeasuredRate rate) {
    return String.format(
        Locale.ROOT,
        "%s, between %s and %s (95 %%); %,d in %,d",
        percent(rate.rate()),
        percent(rate.low()),
        percent(rate.high()),
        rate.errors(),
        rate.trials());
  }

  /** {@code 3 days}, {@code 1 minute}. */
  static String age(Duration age) {
    if (age.toDays() > 0) {
      return some(age.toDays(), "day");
    }
    if (age.toHours() > 0) {
      return some(age.toHours(), "hour");
    }
    return age.toMinutes() > 0
        ? some(age.toMinutes(), "minute")
        : some(Math.max(0, age.toSeconds()), "second");
  }

  private static String some(long count, String unit) {
    return String.format(Locale.ROOT, "%,d %s%s", count, unit, count == 1 ? "" : "s");
  }
}
