package dev.unseen.filter;

import dev.unseen.error.OptionException;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Locale;

/**
 * How long a key counts as seen: for a number of records, for a duration, or as long as the memory
 * holds it.
 *
 * <p>A record whose time is t is a duplicate if its key was seen at t' and |t - t'| is less than
 * the window. It is compared by its own time, also if it comes late: keys are remembered for the
 * window and, in addition, for the time by which a record may be late. A record that is later than
 * that cannot be checked.
 *
 * @param length the number of records or milliseconds; 0 for no limit
 * @param unit the unit of the length
 * @param lateness the time by which a record may be late, in milliseconds
 */
public record Window(long length, Unit unit, long lateness) {
  /** No limit except the memory. */
  public static final Window NONE = new Window(0, Unit.RECORDS);

  /** The number of steps in which a window moves. A key may be forgotten one step too early. */
  public static final int STEPS = 8;

  private static final long MAX_LENGTH = Long.MAX_VALUE / STEPS / 2;

  /** A record may be late by this number of windows at most. */
  private static final int MAX_LATE_WINDOWS = 1000;

  /** The units of a window. */
  public enum Unit {
    /** Records processed. */
    RECORDS,
    /** Milliseconds of the records' times. */
    MILLISECONDS
  }

  /** Rejects a length that cannot be divided into steps. */
  public Window {
    boolean none = length == 0 && unit == Unit.RECORDS;
    if (!none && (length < STEPS || length > MAX_LENGTH)) {
      String shown = unit == Unit.RECORDS ? " records" : " ms";
      throw outOfRange(String.format(Locale.ROOT, "%,d", length) + shown, shown);
    }
    if (lateness != 0 && unit != Unit.MILLISECONDS) {
      throw OptionException.outOfRange(
          "maxLateness", late(lateness), "left out without a window of time");
    }
    if (lateness < 0 || lateness > most(length)) {
      throw OptionException.outOfRange(
          "maxLateness",
          late(lateness),
          String.format(
              Locale.ROOT, "0 to %,d windows, which is %s", MAX_LATE_WINDOWS, late(most(length))));
    }
  }

  private static String late(long millis) {
    return Print.duration(Duration.ofMillis(millis));
  }

  private static long most(long length) {
    return length > MAX_LENGTH / MAX_LATE_WINDOWS ? MAX_LENGTH : MAX_LATE_WINDOWS * length;
  }

  /** Creates a window in which no record may be late. */
  public Window(long length, Unit unit) {
    this(length, unit, 0);
  }

  /** Returns the same window, in which a record may be late by this time. */
  public Window withLateness(Duration time) {
    return new Window(length, unit, time.toMillis());
  }

  /** Returns the number of steps by which a record may be late. */
  public long lateSteps() {
    return isNone() ? 0 : (lateness * STEPS + length - 1) / length;
  }

  private static OptionException outOfRange(String length, String unit) {
    return OptionException.outOfRange(
            "window", length, String.format(Locale.ROOT, "%d to %,d%s", STEPS, MAX_LENGTH, unit))
        .remedy("leave {window} out for no window");
  }

  /** Returns a window in which a key counts as seen for this number of records. */
  public static Window records(long records) {
    if (records < STEPS || records > MAX_LENGTH) {
      throw outOfRange(String.format(Locale.ROOT, "%,d records", records), " records");
    }
    return new Window(records, Unit.RECORDS);
  }

  /** Returns a window in which a key counts as seen for this duration. */
  public static Window time(Duration duration) {
    boolean tooShort = duration.compareTo(Duration.ofMillis(STEPS)) < 0;
    if (tooShort || duration.compareTo(Duration.ofMillis(MAX_LENGTH)) > 0) {
      throw outOfRange(inWords(duration), " ms");
    }
    return new Window(duration.toMillis(), Unit.MILLISECONDS);
  }

  private static String inWords(Duration duration) {
    long days = duration.toDays();
    if (days < -Integer.MAX_VALUE || days > Integer.MAX_VALUE) {
      return days + "d"; // its milliseconds may be more than a long can hold
    }
    return duration.toMillis() == 0 ? duration.toNanos() + " ns" : Print.duration(duration);
  }

  /**
   * Parses a window: a time such as {@code 24h} or {@code 7d}, or a number of records such as
   * {@code 10M}. Units of time are in lower case: {@code 10m} is ten minutes.
   *
   * @throws OptionException if the text is neither; the message shows both forms
   */
  public static Window parse(String text) {
    if (Parse.isDuration(text)) {
      return time(Parse.duration("window", text));
    }
    long records;
    try {
      records = Parse.count("window", text);
    } catch (OptionException e) {
      throw OptionException.malformed(
              "window",
              text,
              "a time such as 90s, 15m, 24h or 7d, or a number of records such as 10M")
          .causedBy(e);
    }
    return records(records);
  }

  /** Returns the text that {@link #parse} reads. It does not contain the lateness. */
  public String text() {
    return isTime() ? Print.duration(Duration.ofMillis(length)) : Long.toString(length);
  }

  /** Returns whether there is no limit. */
  public boolean isNone() {
    return length == 0;
  }

  /** Returns whether the window is measured in time. */
  public boolean isTime() {
    return !isNone() && unit == Unit.MILLISECONDS;
  }

  /**
   * Returns the number of the step that a moment belongs to, from 0 on. A step is an eighth of the
   * window.
   */
  public long stepOf(long moment) {
    long whole = Math.floorDiv(moment, length); // in two parts, since moment * 8 may overflow
    return whole * STEPS + Math.floorMod(moment, length) * STEPS / length;
  }

  /** Returns the first moment of the step with this number. */
  public long firstMomentOf(long step) {
    long part = Math.floorMod(step, STEPS) * length;
    return Math.floorDiv(step, STEPS) * length + (part + STEPS - 1) / STEPS;
  }

  @Override
  public String toString() {
    if (isNone()) {
      return "no window";
    }
    if (!isTime()) {
      return String.format(Locale.ROOT, "window %,d records", length);
    }
    String text = "window " + Print.duration(Duration.ofMillis(length));
    return lateness == 0 || lateness == length
        ? text
        : text + ", lateness " + Print.duration(Duration.ofMillis(lateness));
  }
}
