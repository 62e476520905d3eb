package dev.unseen;

import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.text.Print;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

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

  private static final List<Measure> ALL =
      List.of(
          counter("records", "Records processed", r -> r.records()),
          counter("admitted", "Records admitted as new", r -> r.admitted()),
          counter("duplicates", "Records rejected as duplicates", r -> r.duplicates()),
          new Measure(
              "rescued",
              "Records admitted although their key seemed seen, by the second opinion",
              Type.COUNTER,
              r -> toDouble(r.rescued())),
          gauge("memory_bytes", "Bytes of the filter's storage", r -> r.memoryBytes()),
          gauge(
              "overhead_bytes",
              "Bytes in addition to the storage, estimated",
              r -> r.overheadBytes()),
          gauge(
              "predecessor_bytes",
              "Bytes of filters from before a change of options, which are still consulted",
              r -> r.predecessorBytes()),
          sometimes(
              "handover_left",
              "Milliseconds or records of the window, or new keys, until they are dropped",
              r -> toDouble(r.handoverLeft())),
          gauge("load", "Share of the storage in use, 0 to 1", Report::load),
          gauge(
              "estimated_fpr",
              "Probability that a new record is rejected as a duplicate, estimated from the load",
              Report::estimatedFpr),
          gauge(
              "estimated_fnr",
              "Probability that a duplicate is admitted as new; NaN if unknown",
              r -> known(r.estimatedFnr())),
          gauge(
              "estimated_fnr_low",
              "Probability that a duplicate is admitted as new, lower end of the interval",
              r -> r.estimatedFnr().low()),
          gauge(
              "estimated_fnr_high",
              "Probability that a duplicate is admitted as new, upper end of the interval",
              r -> r.estimatedFnr().high()),
          gauge(
              "max_fpr",
              "Largest share of new records that may be rejected as duplicates; 1 means no limit",
              Report::maxFpr),
          gauge(
              "estimated_cardinality",
              "Estimated number of distinct keys in the filter",
              r -> r.estimatedCardinality()),
          sometimes(
              "keys_that_fit",
              "Keys that fit: with more, the filter evicts keys early",
              r -> toDouble(r.keysThatFit())),
          new Measure(
              "evicted_early",
              "Keys evicted to make room, with a window only those evicted before it ended",
              Type.COUNTER,
              r -> toDouble(r.evictedEarly())),
          sometimes(
              "window_coverage",
              "Share of the window for which keys are kept, 0 to 1; only with a window",
              r ->
                  r.spec().window().isNone()
                      ? OptionalDouble.empty()
                      : OptionalDouble.of(r.windowCoverage())),
          counter("late_times", "Records that were too late to be checked", r -> r.lateTimes()),
          counter(
              "rejected_times",
              "Records with a time too far in the future to be used",
              r -> r.rejectedTimes()),
          counter("clock_jumps", "Jumps of the machine's clock since startup", r -> r.clockJumps()),
          gauge("in_flight", "Keys reserved at present", r -> r.inFlight()),
          audited(
              "audited_keys_one_in",
              "One key in this number is followed by the audit",
              a -> (double) a.oneIn()),
          rate(
              "audited_fpr",
              "Share of new records rejected as duplicates, measured; NaN if unknown",
              AuditReport::fpr,
              Measure::known),
          rate(
              "audited_fpr_low",
              "Share of new records rejected as duplicates, lower end of the interval",
              AuditReport::fpr,
              MeasuredRate::low),
          rate(
              "audited_fpr_high",
              "Share of new records rejected as duplicates, upper end of the interval",
              AuditReport::fpr,
              MeasuredRate::high),
          rate(
              "audited_fnr",
              "Share of duplicates admitted as new, measured; NaN if unknown",
              AuditReport::fnr,
              Measure::known),
          rate(
              "audited_fnr_low",
              "Share of duplicates admitted as new, lower end of the interval",
              AuditReport::fnr,
              MeasuredRate::low),
          rate(
              "audited_fnr_high",
              "Share of duplicates admitted as new, upper end of the interval",
              AuditReport::fnr,
              MeasuredRate::high));

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

  private static Measure counter(String name, String help, ToDoubleFunction<Report> value) {
    return new Measure(name, help, Type.COUNTER, r -> OptionalDouble.of(value.applyAsDouble(r)));
  }

  private static Measure gauge(String name, String help, ToDoubleFunction<Report> value) {
    return new Measure(name, help, Type.GAUGE, r -> OptionalDouble.of(value.applyAsDouble(r)));
  }

  private static double known(MeasuredRate rate) {
    return rate.isKnown() ? rate.rate() : Double.NaN;
  }

  private static OptionalDouble toDouble(OptionalLong number) {
    return number.isPresent()
        ? OptionalDouble.of((double) number.getAsLong())
        : OptionalDouble.empty();
  }

  private static Measure sometimes(
      String name, String help, Function<Report, OptionalDouble> value) {
    return new Measure(name, help, Type.GAUGE, value);
  }

  private static Measure audited(String name, String help, ToDoubleFunction<AuditReport> value) {
    return sometimes(
        name,
        help,
        report -> {
          Optional<AuditReport> audit = report.audit();
          return audit.isPresent()
              ? OptionalDouble.of(value.applyAsDouble(audit.get()))
              : OptionalDouble.empty();
        });
  }

  private static Measure rate(
      String name,
      String help,
      Function<AuditReport, MeasuredRate> rate,
      ToDoubleFunction<MeasuredRate> end) {
    return audited(name, help, audit -> end.applyAsDouble(rate.apply(audit)));
  }

  /** Returns all measures, in the order in which they are shown. */
  public static List<Measure> all() {
    return ALL;
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
