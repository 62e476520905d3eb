package dev.unseen;

import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Locale;

/**
 * Warns the user of a deduplicator that it has started to make more errors than it should. An alarm
 * is raised once each time a problem starts, not for every record while the problem lasts.
 *
 * @param reason the problem that started
 * @param report the state of the deduplicator at that moment
 */
public record Alarm(Reason reason, Report report) {
  /** The problems that raise an alarm. */
  public enum Reason {
    /** More new records are lost than allowed, according to the estimate or to the audit. */
    FALSE_POSITIVES,
    /** The filter forgets keys that it was asked to keep, so duplicates may get through. */
    FORGETTING,
    /** Records have times too far in the future; these times are not used. */
    REJECTED_TIMES,
    /** Too many records are later than allowed, so they cannot be checked. */
    LATE_TIMES,
    /** The machine's clock has jumped; the jump is not followed at once. */
    CLOCK_JUMP
  }

  /**
   * Returns the number of new records after which the filter was full: the keys that it holds. A
   * small filter has been full for long when the problem is noticed.
   */
  private long fullAfter() {
    return Math.min(report.admitted(), report.estimatedCardinality());
  }

  /** Describes the problem in one sentence with numbers. */
  public String message() {
    return switch (reason) {
      case FALSE_POSITIVES ->
          String.format(
              Locale.ROOT,
              "%s loses more than %s: %s estimated from its load%s; use more memory",
              report.spec().describe(),
              Print.portion(report.alarmFpr(), "new record"),
              Print.rate(report.estimatedFpr()),
              report.audit().map(a -> ", " + Print.rate(a.fpr().rate()) + " measured").orElse(""));
      case FORGETTING ->
          report.spec().window().isNone()
              ? String.format(
                  Locale.ROOT,
                  "the %s filter of %s is full after %,d new records and has forgotten keys since; their duplicates get through. Use more memory to keep more keys",
                  report.spec().kind().id(),
                  Print.bytes(report.memoryBytes()),
                  fullAfter())
              : String.format(
                  Locale.ROOT,
                  "the %s filter of %s keeps its keys for %s of the window only; later duplicates get through. Use more memory or a shorter window",
                  report.spec().kind().id(),
                  Print.bytes(report.memoryBytes()),
                  Print.percent(report.windowCoverage()));
      case REJECTED_TIMES ->
          String.format(
              Locale.ROOT,
              "%,d of %,d records had a time too far in the future, so they could not be checked. Check the clock and the unit of the times",
              report.rejectedTimes(),
              report.records());
      case LATE_TIMES ->
          String.format(
              Locale.ROOT,
              "%,d of %,d records were late by more than %s, so they could not be checked. Read older records first, or allow more lateness",
              report.lateTimes(),
              report.records(),
              Print.duration(Duration.ofMillis(report.spec().window().lateness())));
      case CLOCK_JUMP ->
          String.format(
              Locale.ROOT,
              "the clock has jumped by more than %s (jumps so far: %,d); windows go by the elapsed time, and follow a jump only if it persists. Check the machine's clock and its time service",
              Print.duration(Duration.ofMillis(SteadyClock.TOLERANCE_MILLIS)),
              report.clockJumps());
    };
  }
}
