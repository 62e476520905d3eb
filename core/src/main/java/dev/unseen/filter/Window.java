package dev.unseen.filter;

import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Locale;

/**
 * How long a key counts as seen: for so many records, for so much time, or for as long as memory
 * holds it.
 *
 * @param length the records, or the milliseconds; 0 for no limit
 * @param unit what the length counts
 */
public record Window(long length, Unit unit) {
  /** No limit but the memory. */
  public static final Window NONE = new Window(0, Unit.RECORDS);

  /** A window is followed in this many steps: a key may be forgotten one step too early. */
  public static final int STEPS = 8;

  private static final long MAX_LENGTH = Long.MAX_VALUE / STEPS / 2;

  /** What a window is measured in. */
  public enum Unit {
    /** Records taken in. */
    RECORDS,
    /** Milliseconds of the time told by {@link DuplicateFilter#advanceTo}. */
    MILLISECONDS
  }

  /** Refuses what cannot be followed in steps. */
  public Window {
    boolean none = length == 0 && unit == Unit.RECORDS;
    if (!none && (length < STEPS || length > MAX_LENGTH)) {
      String shown = unit == Unit.RECORDS ? " records" : " ms";
      throw outOfRange(String.format(Locale.ROOT, "%,d", length) + shown, shown);
    }
  }

  private static IllegalArgumentException outOfRange(String length, String unit) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "window (%s) must be %d to %,d%s; Window.NONE is no limit but the memory",
            length,
            STEPS,
            MAX_LENGTH,
            unit));
  }

  /** Counts a key as seen for this number of records. */
  public static Window records(long records) {
    if (records == 0) {
      throw outOfRange("0 records", " records");
    }
    return new Window(records, Unit.RECORDS);
  }

  /** Counts a key as seen for this time. */
  public static Window time(Duration duration) {
    boolean tooShort = duration.compareTo(Duration.ofMillis(STEPS)) < 0;
    if (tooShort || duration.compareTo(Duration.ofMillis(MAX_LENGTH)) > 0) {
      boolean fine = duration.toMillis() == 0;
      throw outOfRange(fine ? duration.toNanos() + " ns" : Print.duration(duration), " ms");
    }
    return new Window(duration.toMillis(), Unit.MILLISECONDS);
  }

  /**
   * Reads a window: a time such as {@code 24h} or {@code 7d}, or a number of records such as {@code
   * 10M}. Units of time are lower case: {@code 10m} is ten minutes.
   *
   * @throws IllegalArgumentException if the text is neither; the message tells both forms
   */
  public static Window parse(String text) {
    if (Parse.isDuration(text)) {
      return time(Parse.duration("window", text));
    }
    long records;
    try {
      records = Parse.count("window", text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "window '%s' is neither a time such as 90s, 15m, 24h or 7d nor a number of records such as 10M"
              .formatted(text),
          e);
    }
    return records(records);
  }

  /** Whether there is no limit. */
  public boolean isNone() {
    return length == 0;
  }

  /** Whether it is measured in time. */
  public boolean isTime() {
    return !isNone() && unit == Unit.MILLISECONDS;
  }

  /** Returns the step that a moment belongs to: an eighth of the window each, from 0 on. */
  public long stepOf(long moment) {
    long whole = Math.floorDiv(moment, length); // in two parts, since moment * 8 may overflow
    return whole * STEPS + Math.floorMod(moment, length) * STEPS / length;
  }

  /** Returns the first moment of a step. */
  public long firstMomentOf(long step) {
    long part = Math.floorMod(step, STEPS) * length;
    return Math.floorDiv(step, STEPS) * length + (part + STEPS - 1) / STEPS;
  }

  @Override
  public String toString() {
    if (isNone()) {
      return "no window";
    }
    return isTime()
        ? "window " + Print.duration(Duration.ofMillis(length))
        : String.format(Locale.ROOT, "window %,d records", length);
  }
}
