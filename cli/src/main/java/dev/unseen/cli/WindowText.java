package dev.unseen.cli;

import dev.unseen.filter.Window;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a window as people write it: {@code 24h}, {@code 10M}. */
final class WindowText {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ms|s|m|h|d|K|M|G)?");

  private WindowText() {}

  /** The milliseconds of a time. */
  static long millis(String text) {
    return parse(text).length();
  }

  /** Lower case is time, upper case or nothing is records. */
  static Window parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "window '%s' is neither a time such as 90s, 15m, 24h or 7d nor a number of records such as 10M"
              .formatted(text));
    }
    long number = Long.parseLong(form.group(1));
    String unit = form.group(2) == null ? "" : form.group(2);
    try {
      return switch (unit) {
        case "ms" -> Window.time(Duration.ofMillis(number));
        case "s" -> Window.time(Duration.ofSeconds(number));
        case "m" -> Window.time(Duration.ofMinutes(number));
        case "h" -> Window.time(Duration.ofHours(number));
        case "d" -> Window.time(Duration.ofDays(number));
        case "K" -> Window.records(Math.multiplyExact(number, 1_000L));
        case "M" -> Window.records(Math.multiplyExact(number, 1_000_000L));
        case "G" -> Window.records(Math.multiplyExact(number, 1_000_000_000L));
        default -> Window.records(number);
      };
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("window '%s' is too long".formatted(text), e);
    }
  }
}
