package dev.unseen.server.monitor;

import dev.unseen.Alarm;
import dev.unseen.Report;
import dev.unseen.filter.Window;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.server.store.Traffic;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Whether a filter has room for its items, and what to do if it has not.
 *
 * @param filter the filter
 * @param report its numbers
 * @param evictedEarly the items that it has evicted to make room, see {@link
 *     ServedFilter#evictedEarly}
 * @param newPerSecond its new items per second, over the last minutes
 * @param severity how urgent it is
 * @param text what is wrong and the remedy; empty if all is well
 * @param secondsUntilFull when the filter holds all that fit if new items keep coming as in the
 *     last minutes; 0 if it does already, and empty if it never will
 */
record FilterHealth(
    ServedFilter filter,
    Report report,
    long evictedEarly,
    double newPerSecond,
    Severity severity,
    String text,
    OptionalLong secondsUntilFull) {
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

  /** Returns all filters, the most urgent first, then those with most items. */
  static List<FilterHealth> all(Keyspace keyspace, Traffic traffic) {
    return keyspace.all().stream()
        .map(filter -> of(filter, traffic.newPerSecond(filter)))
        .sorted(
            Comparator.comparing(FilterHealth::severity)
                .reversed()
                .thenComparing(health -> -health.report.records()))
        .toList();
  }

  private static FilterHealth of(ServedFilter filter, double newPerSecond) {
    FilterHealth unjudged =
        new FilterHealth(
            filter,
            filter.report(),
            filter.evictedEarly(),
            newPerSecond,
            Severity.OK,
            "",
            OptionalLong.empty());
    return unjudged.judged();
  }

  private FilterHealth judged() {
    Set<Alarm.Reason> alarms = report.alarms();
    OptionalLong left = untilFull();
    String name = filter.shownName();
    Severity found = Severity.OK;
    String problem = "";
    if (filter.definition().nonScaling() && left.equals(OptionalLong.of(0))) {
      found = Severity.ALARM;
      problem = "%s is full and rejects new items: %s".formatted(name, remedy());
    } else if (alarms.contains(Alarm.Reason.FALSE_POSITIVES)) {
      found = Severity.ALARM;
      problem =
          "%s mistakes %s for a duplicate: %s"
              .formatted(name, Print.portion(report.estimatedFpr(), "new item"), remedy());
    } else if (alarms.contains(Alarm.Reason.FORGETTING)) {
      boolean windowed = !report.spec().window().isNone();
      found = windowed ? Severity.ALARM : Severity.WARNING;
      problem =
          "%s evicts %s: %s".formatted(name, windowed ? "early" : "its oldest items", remedy());
    } else if (alarms.contains(Alarm.Reason.REJECTED_TIMES)
        || alarms.contains(Alarm.Reason.LATE_TIMES)) {
      found = Severity.WARNING;
      problem =
          "%s gets items whose times cannot be checked: check the clocks and LATENESS"
              .formatted(name);
    } else if (left.isPresent() && left.getAsLong() < SOON_SECONDS) {
      found = Severity.WARNING;
      problem =
          "%s is full in %s if new items keep coming as now: %s"
              .formatted(name, Print.age(Duration.ofSeconds(left.getAsLong())), remedy());
    }
    return new FilterHealth(filter, report, evictedEarly, newPerSecond, found, problem, left);
  }

  /** Returns the number of items that fit; 0 if that is not known. */
  long keysThatFit() {
    return filter.definition().keysThatFit(report);
  }

  /**
   * Returns the number of items that the filter would hold if it had room: at the present rate, but
   * if it evicts early already, not more than it holds and has evicted.
   */
  private double expected() {
    Window window = report.spec().window();
    double held = report.estimatedCardinality();
    if (window.isNone()) {
      return held;
    }
    double atThisRate = newPerSecond * window.length() / 1000.0;
    boolean known = evictedEarly > 0 && (atThisRate == 0 || held + evictedEarly < atThisRate);
    return Math.max(held, known ? held + evictedEarly : atThisRate);
  }

  private OptionalLong untilFull() {
    long fits = keysThatFit();
    long held = report.estimatedCardinality();
    if (fits == 0) {
      return OptionalLong.empty();
    }
    if (held >= fits || (filter.definition().nonScaling() && report.admitted() >= fits)) {
      return OptionalLong.of(0);
    }
    boolean windowed = !report.spec().window().isNone();
    if (newPerSecond <= 0 || (windowed && expected() <= fits)) {
      return OptionalLong.empty();
    }
    return OptionalLong.of((long) ((fits - held) / newPerSecond));
  }

  /** Returns how to give the filter the memory that its items need. */
  private String remedy() {
    long fits = keysThatFit();
    double share = fits == 0 ? 2 : SPARE * expected() / fits;
    long wanted = Long.highestOneBit((long) (report.memoryBytes() * Math.max(share, 1.5)) - 1) << 1;
    return filter.definition().setMillis() > 0
        ? "raise --set-memory to %s".formatted(Print.size(wanted))
        : "BF.RESIZE %s MEMORY %s".formatted(filter.shownName(), Print.size(wanted));
  }
}
