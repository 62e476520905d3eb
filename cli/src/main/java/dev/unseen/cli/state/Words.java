package dev.unseen.cli.state;

import dev.unseen.audit.MeasuredRate;
import dev.unseen.cli.Numbers;
import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them. */
final class Words {
  private Words() {}

  /** {@code 0.12 %, between 0.05 % and 0.31 % (95 %); 4 in 3,120}. */
  static String measured(MeasuredRate rate) {
    return String.format(
        Locale.ROOT,
        "%s, between %s and %s (95 %%); %,d in %,d",
        Numbers.percent(rate.rate()),
        Numbers.percent(rate.low()),
        Numbers.percent(rate.high()),
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
