package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Reads the time of a record: a number of seconds, milliseconds, microseconds or nanoseconds since
 * 1970, told apart by its size, or a date of ISO 8601, in UTC unless it says otherwise.
 */
final class EventTime {
  // A number of seconds below this is before the year 5138, and one of milliseconds after 1973.
  private static final double MOST_SECONDS = 1e11;

  private EventTime() {}

  /** Milliseconds since 1970. */
  static long millis(byte[] text, int from, int to) {
    long number = 0;
    boolean plain = to > from && to - from <= 18;
    for (int i = from; i < to && plain; i++) {
      plain = text[i] >= '0' && text[i] <= '9';
      number = 10 * number + text[i] - '0';
    }
    return plain ? scaled((double) number) : other(new String(text, from, to - from, UTF_8));
  }

  private static long scaled(double number) {
    double size = Math.abs(number);
    if (size < MOST_SECONDS) {
      return Math.round(number * 1e3);
    }
    double millis = number;
    while (size >= MOST_SECONDS * 1e3) {
      size /= 1e3;
      millis /= 1e3;
    }
    return (long) Math.floor(millis);
  }

  private static long other(String text) {
    try {
      return scaled(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return date(text.strip().replace(' ', 'T'));
    }
  }

  private static long date(String text) {
    try {
      if (text.indexOf('T') < 0) {
        return LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
      }
      if (text.endsWith("Z")) {
        return Instant.parse(text).toEpochMilli();
      }
      int time = text.indexOf('T');
      boolean hasOffset = text.indexOf('+', time) > 0 || text.indexOf('-', time) > 0;
      return hasOffset
          ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "time '%s' is neither a number of seconds or milliseconds since 1970 nor a date such as"
                  .formatted(text)
              + " 2026-11-15T22:51:00Z",
          e);
    }
  }
}
