package dev.unseen;

import dev.unseen.Alarm.Reason;
import dev.unseen.bits.Mix;
import dev.unseen.jfr.FlightRecorder;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Checks from time to time whether there is a reason for an alarm, and raises the alarm when a
 * problem starts.
 */
final class AlarmBell {
  private static final int EVERY = 1 << 12;
  private static final int MOST_EVERY = 1 << 16;

  /** A filter in shards is checked after one record for each 256 bytes of its memory. */
  private static final int BYTES_EACH = 256;

  private final Consumer<? super Alarm> action;
  private final Set<Reason> raised = EnumSet.noneOf(Reason.class);

  AlarmBell(Consumer<? super Alarm> action) {
    this.action = action;
  }

  static void log(Alarm alarm) {
    logger().log(Level.WARNING, alarm.message());
  }

  /** Returns the logger, which is looked up only when needed: loading it slows startup. */
  private static System.Logger logger() {
    return System.getLogger("dev.unseen");
  }

  static boolean isDue(long records) {
    return (records & (EVERY - 1)) == 0;
  }

  static boolean isDueBetween(long before, long after) {
    return before / EVERY != after / EVERY;
  }

  /**
   * Returns a mask for {@link #isDueAt}: a check asks all shards, a tenth of the work of 4096
   * records.
   */
  static long maskFor(long memoryBytes) {
    long every = Long.highestOneBit(Math.max(1, memoryBytes / BYTES_EACH));
    return Math.max(EVERY, Math.min(MOST_EVERY, every)) - 1;
  }

  /** Returns whether to check at this hash: many threads share no cheap counter. */
  static boolean isDueAt(long hash, long mask) {
    return (Mix.mix(~hash) & mask) == 0;
  }

  /**
   * Raises an alarm for each new problem. The record must not be lost, so a failure is only logged.
   */
  void check(Supplier<Report> reports) {
    try {
      Report report = reports.get();
      Set<Reason> reasons = report.alarms();
      for (Reason reason : Reason.values()) {
        if (turns(reason, reasons.contains(reason), report)) {
          ring(new Alarm(reason, report));
        }
      }
    } catch (RuntimeException | Error e) {
      log("the check for alarms has failed; it is repeated later", e);
    }
  }

  private synchronized boolean turns(Reason reason, boolean present, Report report) {
    if (present) {
      return raised.add(reason);
    }
    if (raised.contains(reason) && report.hasEnded(reason)) {
      raised.remove(reason);
    }
    return false;
  }

  private void ring(Alarm alarm) {
    try {
      if (FlightRecorder.isPresent()) {
        AlarmEvent.emit(alarm);
      }
      action.accept(alarm);
    } catch (RuntimeException | Error e) {
      log("the action for an alarm has failed; the alarm was: " + alarm.message(), e);
    }
  }

  private static void log(String message, Throwable failure) {
    try {
      logger().log(Level.ERROR, message, failure);
    } catch (RuntimeException | Error e) {
      // Not even the log works, as if there were no memory left. The record matters more.
    }
  }
}
