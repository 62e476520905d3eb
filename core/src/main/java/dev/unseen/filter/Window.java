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

  /** Whether there is no limit. */
  public boolean isNone() {
    return length == 0;
  }

  /** Whether it is measured in time. */
  public boolean isTime() {
    return !isNone() && unit == Unit.MILLISECONDS;
  }

  @Override
  public String toString() {
    if (isNone()) {
      return "no window";
    }
    return isTime()
        ? "window " + Duration.ofMillis(length).toString().substring(2).toLowerCase(Locale.ROOT)
        : String.format(Locale.ROOT, "window %,d records", length);
  }
}
