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

  /** A window is followed in steps of an eighth of it, so that is its slack. */
  static final int STEPS = 8;

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
    if (length != 0 && (length < STEPS || length > MAX_LENGTH)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "window (%,d %s) must be %d to %,d",
              length,
              unit == Unit.RECORDS ? "records" : "ms",
              STEPS,
              MAX_LENGTH));
    }
  }

  /** A key counts as seen for so many records. */
  public static Window records(long records) {
    return new Window(records == 0 ? -1 : records, Unit.RECORDS);
  }

  /** A key counts as seen for so long. */
  public static Window time(Duration duration) {
    long millis = duration.toMillis();
    return new Window(millis == 0 ? -1 : millis, Unit.MILLISECONDS);
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

  /** The step that a moment belongs to: an eighth of the window each, from 0 on. */
  long stepOf(long moment) {
    long whole = Math.floorDiv(moment, length); // in two parts, since moment * 8 may overflow
    return whole * STEPS + Math.floorMod(moment, length) * STEPS / length;
  }

  /** The first moment of a step. */
  long firstMomentOf(long step) {
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
