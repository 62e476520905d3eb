package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.time.Duration;
import java.time.Instant;

/**
 * A record that is too late to be checked, or too far in the future.
 *
 * @param millis its time
 * @param latest the latest time before it
 */
record LateRecord(long millis, long latest) {
  /** The lateness is rounded up to a whole number of the largest of these that it reaches. */
  private static final Duration[] UNITS = {
    Duration.ofDays(1), Duration.ofHours(1), Duration.ofMinutes(1), Duration.ofSeconds(1)
  };

  /** Returns what to do about records that are late by this time at most. */
  static String remedy(long lateMillis, Window window) {
    String order = "give the older file first";
    Duration enough = roundUp(Duration.ofMillis(lateMillis));
    try {
      window.withLateness(enough);
    } catch (IllegalArgumentException e) { // more than a filter can have
      return order;
    }
    return "%s, or use --max-lateness %s".formatted(order, Print.duration(enough));
  }

  private static Duration roundUp(Duration time) {
    for (Duration unit : UNITS) {
      if (time.compareTo(unit) >= 0) {
        long whole = time.dividedBy(unit);
        return unit.multipliedBy(unit.multipliedBy(whole).equals(time) ? whole : whole + 1);
      }
    }
    return time;
  }

  /** Returns why a run ends at this record. */
  CliException failure(String place, Window window) {
    if (millis > latest) {
      return CliException.inputOrOutput(
          "%s: the time of the record, %s, is too far in the future to be used; check the clock and the unit of the times, allow it with --max-time-ahead, or continue with --late admit or --late drop"
              .formatted(place, Instant.ofEpochMilli(millis)),
          null);
    }
    return CliException.inputOrOutput(
        "%s: the time of the record, %s, is more than %s before the latest, %s, so it cannot be checked; %s, or continue with --late admit or --late drop"
            .formatted(
                place,
                Instant.ofEpochMilli(millis),
                Print.duration(Duration.ofMillis(window.lateness())),
                Instant.ofEpochMilli(latest),
                remedy(latest - millis, window)),
        null);
  }
}
