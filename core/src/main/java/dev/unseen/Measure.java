package dev.unseen;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A number that a {@link Report} contains. There is one list of measures, so that each has the same
 * name in Prometheus, Micrometer, JSON and reports.
 */
public final class Measure {
  /** How a number changes over time. */
  public enum Type {
    /** It only grows. */
    COUNTER,
    /** It rises and falls. */
    GAUGE
  }

  private static final List<Measure> ALL = new ArrayList<>();

  static {
    counter("records", "Records processed", Report::records);
    counter("admitted", "Records admitted as new", Report::admitted);
    counter("duplicates", "Records rejected as duplicates", Report::duplicates);
    add(
        "rescued",
        "Records admitted although their key seemed seen, by the second opinion",
        Type.COUNTER,
        r -> toDouble(r.rescued()));
    gauge("memory_bytes", "Bytes of the filter's storage", Report::memoryBytes);
    gauge("overhead_bytes", "Bytes in addition to the storage, estimated", Report::overheadBytes);
    gauge(
        "predecessor_bytes",
        "Bytes of filters from before a change of options, which are still consulted",
        Report::predecessorBytes);
    add(
        "handover_left",
        "Milliseconds or records of the window, or new keys, until they are dropped",
        Type.GAUGE,
        r -> toDouble(r.handoverLeft()));
    gauge("load", "Share of the storage in use, 0 to 1", Report::load);
    gauge(
        "estimated_fpr",
        "Probability that a new record is rejected as a duplicate, estimated from the load",
        Report::estimatedFpr);
    interval(
        "estimated_fnr",
        "Probability that a duplicate is admitted as new",
        "; NaN if unknown",
        r -> Optional.of(r.estimatedFnr()));
    gauge(
        "max_fpr",
        "Largest share of new records that may be rejected as duplicates; 1 means no limit",
        Report::maxFpr);
    gauge(
        "estimated_cardinality",
        "Estimated number of distinct keys in the filter",
        Report::estimatedCardinality);
    add(
        "keys_that_fit",
        "Keys that fit: with more, the filter evicts keys early",
        Type.GAUGE,
        r -> toDouble(r.keysThatFit()));
    add(
        "evicted_early",
        "Keys evicted to make room, with a window only those evicted before it ended",
        Type.COUNTER,
        r -> toDouble(r.evictedEarly()));
    add(
        "window_coverage",
        "Share of the window for which keys are kept, 0 to 1; only with a window",
        Type.GAUGE,
        r -> r.spec().window().isNone() ? OptionalDouble.empty() : of(r.windowCoverage()));
    counter("late_times", "Records that were too late to be checked", Report::lateTimes);
    counter(
        "rejected_times",
        "Records with a time too far in the future to be used",
        Report::rejectedTimes);
    counter("clock_jumps", "Jumps of the machine's clock since startup", Report::clockJumps);
    gauge("in_flight", "Keys reserved at present", Report::inFlight);
    add(
        "audited_keys_one_in",
        "One key in this number is followed by the audit",
        Type.GAUGE,
        r -> r.audit().map(a -> of((double) a.oneIn())).orElse(OptionalDouble.empty()));
    interval(
        "audited_fpr",
        "Share of new records rejected as duplicates",
        ", measured; NaN if unknown",
        r -> r.audit().map(AuditReport::fpr));
    interval(
        "audited_fnr",
        "Share of duplicates admitted as new",
        ", measured; NaN if unknown",
        r -> r.audit().map(AuditReport::fnr));
  }

  private final String name;
  private final String help;
  private final Type type;
  private final Function<Report, OptionalDouble> value;

  private Measure(String name, String help, Type type, Function<Report, OptionalDouble> value) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.value = value;
  }

  private static void add(
      String name, String help, Type type, Function<Report, OptionalDouble> value) {
    ALL.add(new Measure(name, help, type, value));
  }

  private static void counter(String name, String help, ToLongFunction<Report> value) {
    add(name, help, Type.COUNTER, r -> of((double) value.applyAsLong(r)));
  }

  private static void gauge(String name, String help, ToDoubleFunction<Report> value) {
    add(name, help, Type.GAUGE, r -> of(value.applyAsDouble(r)));
  }

  private static void interval(
      String name, String help, String ofRate, Function<Report, Optional<MeasuredRate>> rate) {
    one(name, help + ofRate, rate, r -> r.isKnown() ? r.rate() : Double.NaN);
    one(name + "_low", help + ", lower end of the interval", rate, MeasuredRate::low);
    one(name + "_high", help + ", upper end of the interval", rate, MeasuredRate::high);
  }

  private static void one(
      String name,
      String help,
      Function<Report, Optional<MeasuredRate>> rate,
      ToDoubleFunction<MeasuredRate> end) {
    add(
        name,
        help,
        Type.GAUGE,
        r -> rate.apply(r).map(of -> of(end.applyAsDouble(of))).orElse(OptionalDouble.empty()));
  }

  private static OptionalDouble of(double number) {
    return OptionalDouble.of(number);
  }

  private static OptionalDouble toDouble(OptionalLong number) {
    return number.isPresent() ? of((double) number.getAsLong()) : OptionalDouble.empty();
  }

  /** Returns all measures, in the order in which they are shown. */
  public static List<Measure> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** Returns the name, with underscores between its words: {@code estimated_fpr}. */
  public String name() {
    return name;
  }

  /** Returns the name in JSON: {@code estimatedFpr}. */
  public String jsonName() {
    StringBuilder json = new StringBuilder();
    for (String word : name.split("_", -1)) {
      json.append(
          json.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return json.toString();
  }

  /** Returns the name in Micrometer: {@code unseen.estimated.fpr}. */
  public String dottedName() {
    return "unseen." + name.replace('_', '.');
  }

  /** Returns the name in Prometheus: {@code unseen_estimated_fpr}. */
  public String prometheusName() {
    return "unseen_" + name + (type == Type.COUNTER ? "_total" : "");
  }

  /** Returns the unit, {@code bytes}, or an empty text if there is none. */
  public String unit() {
    return name.endsWith("_bytes") ? "bytes" : "";
  }

  /** Returns a short description. */
  public String help() {
    return help;
  }

  /** Returns how the number changes over time. */
  public Type type() {
    return type;
  }

  /** Returns whether the number is known only if there is an audit. */
  public boolean isOfAudit() {
    return name.startsWith("audited_");
  }

  /**
   * Returns the value as JSON writes it: without decimals if it is a whole number, or null if it is
   * not known.
   */
  public String text(Report report) {
    double number = valueIn(report).orElse(Double.NaN);
    return Double.isNaN(number) ? "null" : Print.number(number);
  }

  /**
   * Returns the value. It is empty if the report has no such number: there is no audit or no
   * window, or filters of its kind do not count it. It is NaN if nothing is known about it yet.
   */
  public OptionalDouble valueIn(Report report) {
    return value.apply(report);
  }

  @Override
  public String toString() {
    return name;
  }
}
