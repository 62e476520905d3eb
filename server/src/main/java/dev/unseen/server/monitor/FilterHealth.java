package dev.unseen.server.monitor;

import dev.unseen.Alarm;
import dev.unseen.Report;
import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Whether a filter has room for its items, and what to do if it has not.
 *
 * @param severity how urgent it is
 * @param text what is wrong and the remedy; empty if all is well
 * @param secondsUntilFull when the filter holds all that fit if new items keep coming as in the
 *     last minutes; 0 if it does already, and empty if it never will
 */
record FilterHealth(Severity severity, String text, OptionalLong secondsUntilFull) {
  private static final long SOON_SECONDS = Duration.ofDays(1).toSeconds();
  private static final double SPARE = 1.25; // of the memory that the keys need

  /** How urgent something is. */
  enum Severity {
    /** All is well. */
    OK,
    /** Something to plan for. */
    WARNING,
    /** Something is wrong now. */
    ALARM
  }

  static FilterHealth of(FilterView filter) {
    Report report = filter.report();
    Window window = report.spec().window();
    Set<Alarm.Reason> alarms = report.alarms();
    OptionalLong left = secondsUntilFull(filter);
    if (filter.definition().nonScaling() && left.equals(OptionalLong.of(0))) {
      return new FilterHealth(
          Severity.ALARM,
          "%s is full and rejects new items: %s".formatted(filter.name(), remedy(filter)),
          left);
    }
    if (alarms.contains(Alarm.Reason.FALSE_POSITIVES)) {
      return new FilterHealth(
          Severity.ALARM,
          "%s mistakes %s for a duplicate: %s"
              .formatted(
                  filter.name(), Print.portion(report.estimatedFpr(), "new item"), remedy(filter)),
          left);
    }
    if (alarms.contains(Alarm.Reason.FORGETTING)) {
      return new FilterHealth(
          window.isNone() ? Severity.WARNING : Severity.ALARM,
          "%s evicts %s: %s"
              .formatted(
                  filter.name(), window.isNone() ? "its oldest items" : "early", remedy(filter)),
          left);
    }
    if (alarms.contains(Alarm.Reason.REJECTED_TIMES) || alarms.contains(Alarm.Reason.LATE_TIMES)) {
      return new FilterHealth(
          Severity.WARNING,
          "%s gets items whose times cannot be checked: check the clocks and LATENESS"
              .formatted(filter.name()),
          left);
    }
    if (left.isPresent() && left.getAsLong() < SOON_SECONDS) {
      return new FilterHealth(
          Severity.WARNING,
          "%s is full in %s if new items keep coming as now: %s"
              .formatted(
                  filter.name(), Print.age(Duration.ofSeconds(left.getAsLong())), remedy(filter)),
          left);
    }
    return new FilterHealth(Severity.OK, "", left);
  }

  /**
   * Returns the number of items that the filter would hold if it had room: at the present rate, but
   * if it evicts early already, not more than it holds and has evicted.
   */
  private static double expected(FilterView filter) {
    Window window = filter.report().spec().window();
    double held = filter.report().estimatedCardinality();
    if (window.isNone()) {
      return held;
    }
    double atThisRate = filter.newPerSecond() * window.length() / 1000.0;
    double evicted = filter.evictedEarly();
    boolean known = evicted > 0 && (atThisRate == 0 || held + evicted < atThisRate);
    return Math.max(held, known ? held + evicted : atThisRate);
  }

  private static OptionalLong secondsUntilFull(FilterView filter) {
    long fits = filter.keysThatFit();
    long held = filter.report().estimatedCardinality();
    if (fits == 0) {
      return OptionalLong.empty();
    }
    if (held >= fits || (filter.definition().nonScaling() && filter.report().admitted() >= fits)) {
      return OptionalLong.of(0);
    }
    boolean windowed = !filter.report().spec().window().isNone();
    if (filter.newPerSecond() <= 0 || (windowed && expected(filter) <= fits)) {
      return OptionalLong.empty();
    }
    return OptionalLong.of((long) ((fits - held) / filter.newPerSecond()));
  }

  /** Returns how to give the filter the memory that its items need. */
  private static String remedy(FilterView filter) {
    long memory = filter.report().memoryBytes();
    double share = filter.keysThatFit() == 0 ? 2 : SPARE * expected(filter) / filter.keysThatFit();
    long wanted = Long.highestOneBit((long) (memory * Math.max(share, 1.5)) - 1) << 1;
    return filter.definition().setMillis() > 0
        ? "raise --set-memory to %s".formatted(Print.size(wanted))
        : "BF.RESIZE %s MEMORY %s".formatted(filter.name(), Print.size(wanted));
  }
}
