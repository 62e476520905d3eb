package dev.unseen;

import dev.unseen.clock.SteadyClock;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

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
    /**
     * The memory is too small for the keys: the filter holds more keys than fit, so that it starts
     * to evict keys early, or has evicted some. Their duplicates pass as new.
     */
    FORGETTING,
    /** Records have times too far in the future; these times are not used. */
    REJECTED_TIMES,
    /** Too many records are later than allowed, so they cannot be checked. */
    LATE_TIMES,
    /** The machine's clock has jumped; the jump is not followed at once. */
    CLOCK_JUMP
  }

  /** Describes the problem in one sentence with numbers, with the options named as in Java. */
  public String message() {
    return message(UnaryOperator.identity());
  }

  /** Describes the problem for a user who knows the options by these names. */
  public String message(UnaryOperator<String> names) {
    return switch (reason) {
      case FALSE_POSITIVES ->
          String.format(
              Locale.ROOT,
              "%s loses more than %s: %s estimated from its load%s; use more memory",
              report.spec().describe(),
              Print.portion(report.alarmFpr(), "new record"),
              Print.rate(report.estimatedFpr()),
              report.audit().map(a -> ", " + Print.rate(a.fpr().rate()) + " measured").orElse(""));
      case FORGETTING -> forgetting();
      case REJECTED_TIMES ->
          String.format(
              Locale.ROOT,
              "%,d of %,d records had a time too far in the future, so they could not be checked. Check the clock and the unit of the times",
              report.rejectedTimes(),
              report.records());
      case LATE_TIMES ->
          String.format(
              Locale.ROOT,
              "%,d of %,d records were late by more than %s, so they could not be checked. Read older records first, or allow more with %s",
              report.lateTimes(),
              report.records(),
              Print.duration(Duration.ofMillis(report.spec().window().lateness())),
              names.apply(Option.MAX_LATENESS.name()));
      case CLOCK_JUMP ->
          String.format(
              Locale.ROOT,
              "the clock has jumped by more than %s (jumps so far: %,d); windows go by the elapsed time, and follow a jump only if it persists. Check the machine's clock and its time service",
              Print.duration(Duration.ofMillis(SteadyClock.TOLERANCE_MILLIS)),
              report.clockJumps());
    };
  }

  /** Describes how many keys there are, how many fit, and what happens to the others. */
  private String forgetting() {
    return String.format(
        Locale.ROOT,
        "the %s filter of %s holds %,d keys%s%s; duplicates of evicted keys pass as new. Use more memory%s",
        report.spec().kind().id(),
        Print.bytes(report.memoryBytes()),
        report.estimatedCardinality(),
        report.keysThatFit().isPresent()
            ? String.format(Locale.ROOT, ", and %,d fit", report.keysThatFit().getAsLong())
            : "",
        evicted(),
        report.spec().window().isNone() ? "" : " or a shorter window");
  }

  private String evicted() {
    long evicted = report.evictedEarly().orElse(0);
    if (evicted == 0) {
      return ": with more it evicts keys early";
    }
    return ": it has evicted %s early%s"
        .formatted(
            Print.things(evicted, "key"),
            report.windowCoverage() < Report.COVERED
                ? " and covers %s of the window".formatted(Print.percent(report.windowCoverage()))
                : "");
  }
}
