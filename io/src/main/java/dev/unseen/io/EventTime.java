package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Parses the time of a record. These forms are known, all in UTC unless they contain a zone:
 *
 * <ul>
 *   <li>a number of seconds, milliseconds, microseconds or nanoseconds since 1970, which its size
 *       distinguishes: below 1e11 it is seconds, below 1e14 milliseconds, and so on up to 1e20;
 *   <li>ISO 8601, with a {@code T} or a blank before the time of day: {@code 2026-11-15}, {@code
 *       2026-11-15T22:51:00Z}, {@code 2026-11-15 22:51:00,123}, {@code 2026-11-15T22:51+0100};
 *   <li>RFC 2822, as in mail and HTTP: {@code Sun, 15 Nov 2026 22:51:00 +0000};
 *   <li>the form in the logs of web servers: {@code 15/Nov/2026:22:51:00 +0000}.
 * </ul>
 *
 * <p>The time that parsing takes is linear in the length of the text, and at most {@value
 * #MAX_BYTES} bytes are read.
 */
public final class EventTime {
  /** No form of a time is longer. */
  private static final int MAX_BYTES = 100;

  // A number of seconds below this is before the year 5138, and one of milliseconds after 1973.
  private static final double MOST_SECONDS = 1e11;
  private static final double MOST_NANOSECONDS = MOST_SECONDS * 1e9;
  private static final int PLAIN_DIGITS = 18;
  private static final int SHOWN_BYTES = 60;
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final String DAYS = "montuewedthufrisatsun";
  private static final String AMERICAN_ZONES = "estedtcstcdtmstmdtpstpdt"; // UTC-5, -4, -6, -5, ...

  private final byte[] text;
  private final int to;
  private int at;

  private EventTime(byte[] text, int from, int to) {
    this.text = text;
    this.at = from;
    this.to = to;
  }

  /**
   * Returns the time in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if the text is not a time; the message shows the text
   */
  public static long millis(byte[] text, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && KeyNormalization.isBlank(text[start])) {
      start++;
    }
    while (end > start && KeyNormalization.isBlank(text[end - 1])) {
      end--;
    }
    if (start < end && text[start] == '[') { // the first of two words of a web server's time
      start++;
      end -= end > start && text[end - 1] == ']' ? 1 : 0;
    }
    if (end - start <= MAX_BYTES) {
      try {
        return new EventTime(text, start, end).read();
      } catch (NoTime | DateTimeException e) {
        // The exception below covers all of these.
      }
    }
    throw new IllegalArgumentException(
        "time '%s' is neither a number of seconds or milliseconds since 1970 nor a date such as"
                .formatted(excerpt(text, from, to))
            + " 2026-11-15T22:51:00Z; correct it or leave the record out");
  }

  /** Ends the reading of a text that is not a time. */
  private static final class NoTime extends Exception {
    private static final long serialVersionUID = 1L;

    NoTime() {
      super("no time", null, false, false);
    }
  }

  private static String excerpt(byte[] text, int from, int to) {
    boolean whole = to - from <= SHOWN_BYTES;
    String shown = new String(text, from, whole ? to - from : SHOWN_BYTES, UTF_8);
    return shown.replaceAll("\\p{Cntrl}", "?") + (whole ? "" : "...");
  }

  private long read() throws NoTime {
    int digits = digitsFrom(at);
    if (digits == to && digits > at && digits - at <= PLAIN_DIGITS) {
      long number = 0;
      for (int i = at; i < to; i++) {
        number = 10 * number + text[i] - '0';
      }
      return scaled((double) number);
    }
    if (digits - at == 4 && digits < to && text[digits] == '-') {
      return isoDate();
    }
    if (isLetter(at)) {
      oneOf(DAYS);
      take(',');
      blanks();
      return dayMonthYear(' ');
    }
    if (digits > at && digits - at <= 2 && digits < to) {
      if (text[digits] == '/') {
        return dayMonthYear('/');
      }
      if (text[digits] == ' ') {
        return dayMonthYear(' ');
      }
    }
    return decimal();
  }

  /** A number with a sign, a fraction or an exponent, as JSON writes it. */
  private long decimal() throws NoTime {
    int start = at;
    skip('-');
    at = atLeastOneDigit();
    if (skip('.')) {
      at = atLeastOneDigit();
    }
    if (skip('e') || skip('E')) {
      if (!skip('-')) {
        skip('+');
      }
      at = atLeastOneDigit();
    }
    if (at != to) {
      throw new NoTime();
    }
    double number = Double.parseDouble(new String(text, start, to - start, ISO_8859_1));
    if (!(Math.abs(number) < MOST_NANOSECONDS)) { // an infinity is not
      throw new NoTime();
    }
    return scaled(number);
  }

  private static long scaled(double number) {
    double size = Math.abs(number);
    if (size < MOST_SECONDS) {
      return Math.round(number * 1e3);
    }
    double millis = number;
    while (size >= MOST_SECONDS * 1e3) { // twice at most
      size /= 1e3;
      millis /= 1e3;
    }
    return (long) Math.floor(millis);
  }

  private long isoDate() throws NoTime {
    int year = number(4);
    take('-');
    int month = number(2);
    take('-');
    long day = LocalDate.of(year, month, number(2)).toEpochDay() * DAY;
    if (at == to) {
      return day;
    }
    if (!skip('T') && !skip('t')) {
      take(' ');
    }
    return day + timeOfDay() - zone();
  }

  /** Reads a time such as {@code 15 Nov 2026 22:51:00 +0000}, or with slashes and a colon. */
  private long dayMonthYear(char between) throws NoTime {
    int day = number(digitsFrom(at) - at);
    take(between);
    int month = oneOf(MONTHS) + 1;
    take(between);
    long start = LocalDate.of(number(4), month, day).toEpochDay() * DAY;
    take(between == '/' ? ':' : ' ');
    blanks();
    return start + timeOfDay() - zone();
  }

  private long timeOfDay() throws NoTime {
    int hour = number(2);
    take(':');
    int minute = number(2);
    long millis = 0;
    if (skip(':')) {
      int second = number(2);
      if (second > 60) { // 60 is a leap second
        throw new NoTime();
      }
      millis = second * SECOND;
      if (skip('.') || skip(',')) {
        millis += fraction();
      }
    }
    if (hour > 23 || minute > 59) {
      throw new NoTime();
    }
    return hour * HOUR + minute * MINUTE + millis;
  }

  private long fraction() throws NoTime {
    int end = atLeastOneDigit();
    long millis = 0;
    for (int i = 0; i < 3; i++) {
      millis = 10 * millis + (at + i < end ? text[at + i] - '0' : 0);
    }
    at = end;
    return millis;
  }

  /** Returns how far ahead of UTC; 0 if it is not given. */
  private long zone() throws NoTime {
    blanks();
    long ahead = 0;
    if (at < to) {
      ahead = isLetter(at) ? namedZone() : offset();
    }
    blanks();
    if (skip('(')) { // a comment, as mail programs write it
      at = to;
    }
    if (at != to) {
      throw new NoTime();
    }
    return ahead;
  }

  /** Reads an offset such as {@code +01:00}, {@code +0100} or {@code +01}. */
  private long offset() throws NoTime {
    boolean behind = skip('-');
    if (!behind) {
      take('+');
    }
    int hours = number(2);
    int minutes = 0;
    if (at < to && (skip(':') || isDigit(at))) {
      minutes = number(2);
    }
    if (hours > 18 || minutes > 59) {
      throw new NoTime();
    }
    long ahead = hours * HOUR + minutes * MINUTE;
    return behind ? -ahead : ahead;
  }

  private long namedZone() throws NoTime {
    int end = at;
    while (isLetter(end)) {
      end++;
    }
    int size = end - at;
    boolean utc =
        switch (size) {
          case 1 -> isWord("z");
          case 2 -> isWord("ut");
          default -> size == 3 && (isWord("utc") || isWord("gmt"));
        };
    if (utc) {
      at = end;
      return 0;
    }
    int zone = oneOf(AMERICAN_ZONES); // standard and summer time, from the east to the west
    return (zone % 2 - zone / 2 - 5) * HOUR;
  }

  private boolean isWord(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= to || (text[at + i] | 0x20) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the index of the three-letter word at this place. */
  private int oneOf(String words) throws NoTime {
    for (int i = 0; i < words.length(); i += 3) {
      if (isWord(words.substring(i, i + 3)) && !isLetter(at + 3)) {
        at += 3;
        return i / 3;
      }
    }
    throw new NoTime();
  }

  private int number(int digits) throws NoTime {
    int number = 0;
    for (int i = 0; i < digits; i++, at++) {
      if (!isDigit(at)) {
        throw new NoTime();
      }
      number = 10 * number + text[at] - '0';
    }
    return number;
  }

  private int digitsFrom(int from) {
    int end = from;
    while (isDigit(end)) {
      end++;
    }
    return end;
  }

  private int atLeastOneDigit() throws NoTime {
    int end = digitsFrom(at);
    if (end == at) {
      throw new NoTime();
    }
    return end;
  }

  private void blanks() {
    while (at < to && text[at] == ' ') {
      at++;
    }
  }

  private boolean skip(char c) {
    boolean there = at < to && text[at] == c;
    at += there ? 1 : 0;
    return there;
  }

  private void take(char c) throws NoTime {
    if (!skip(c)) {
      throw new NoTime();
    }
  }

  private boolean isDigit(int i) {
    return i < to && text[i] >= '0' && text[i] <= '9';
  }

  private boolean isLetter(int i) {
    int letter = i < to ? text[i] | 0x20 : 0;
    return letter >= 'a' && letter <= 'z';
  }
}
