package dev.unseen;

import dev.unseen.Alarm.Reason;
import dev.unseen.hash.Mix;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks from time to time whether there is a reason for an alarm, and rings when one begins. */
final class AlarmBell {
  private static final int EVERY = 1 << 12;

  private final Consumer<? super Alarm> action;
  private final Set<Reason> raised = EnumSet.noneOf(Reason.class);

  /** Calls the action at each alarm. */
  AlarmBell(Consumer<? super Alarm> action) {
    this.action = action;
  }

  /** Writes an alarm to the log: what is done unless the user says otherwise. */
  static void log(Alarm alarm) {
    logger().log(Level.WARNING, alarm.message());
  }

  /** Returns the log only when there is something for it: to load it slows the start. */
  private static System.Logger logger() {
    return System.getLogger("dev.unseen");
  }

  /** Returns whether to look after this number of records. */
  static boolean isDue(long records) {
    return (records & (EVERY - 1)) == 0;
  }

  /** Returns whether to look between two numbers of records. */
  static boolean isDueBetween(long before, long after) {
    return before / EVERY != after / EVERY;
  }

  /** Returns whether to look at a hash: many threads have no cheap count in common. */
  static boolean isDueAt(long hash) {
    return (Mix.mix(~hash) & (EVERY - 1)) == 0;
  }

  /** Looks, and rings for each reason that was not there before. */
  void check(Supplier<Report> reports) {
    Report report = reports.get();
    Set<Reason> reasons = report.alarms();
    for (Reason reason : Reason.values()) {
      if (turns(reason, reasons.contains(reason))) {
        ring(new Alarm(reason, report));
      }
    }
  }

  /** Returns whether a reason was not there before, and is now. */
  private synchronized boolean turns(Reason reason, boolean present) {
    if (present) {
      return raised.add(reason);
    }
    raised.remove(reason);
    return false;
  }

  /** Whatever the action does, the record that is being taken in is not lost by it. */
  private void ring(Alarm alarm) {
    try {
      AlarmEvent.tell(alarm);
      action.accept(alarm);
    } catch (RuntimeException e) {
      logger()
          .log(
              Level.ERROR,
              "the action for an alarm has failed; the alarm was: " + alarm.message(),
              e);
    }
  }
}
