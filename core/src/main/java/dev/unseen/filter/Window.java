package dev.unseen.filter;

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
      throw outOfRange(inWords(duration), " ms");
    }
    return new Window(duration.toMillis(), Unit.MILLISECONDS);
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

  private static String inWords(Duration duration) {
    boolean odd = duration.getNano() % 1_000_000 != 0;
    return odd && duration.getSeconds() == 0
        ? duration.toNanos() + " ns"
        : duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    if (isNone()) {
      return "no window";
    }
    return isTime()
        ? "window " + inWords(Duration.ofMillis(length))
        : String.format(Locale.ROOT, "window %,d records", length);
  }
}
