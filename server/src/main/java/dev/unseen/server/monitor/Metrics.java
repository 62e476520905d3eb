package dev.unseen.server.monitor;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.RequestStats;
import dev.unseen.server.command.ServerMeasure;
import dev.unseen.server.monitor.FilterHealth.Severity;
import dev.unseen.text.Print;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;

/** The text that Prometheus reads. */
public final class Metrics {
  private final PrometheusText text = new PrometheusText().buildInfo();
  private final List<FilterHealth> filters;

  private Metrics(List<FilterHealth> filters) {
    this.filters = filters;
  }

  /**
   * Returns the text of a server.
   *
   * @param eachFilter whether to add the measures of each filter, and not only their sums
   */
  public static String text(Context context, boolean eachFilter) {
    Metrics metrics = new Metrics(FilterHealth.all(context.keyspace(), context.traffic()));
    if (eachFilter) {
      Map<String, Report> reports = new LinkedHashMap<>();
      metrics.filters.forEach(each -> reports.put(each.filter().shownName(), each.report()));
      metrics.text.reports("filter", reports);
    }
    metrics.allFilters();
    for (ServerMeasure measure : ServerMeasure.all()) {
      metrics.add(measure, measure.value(context));
    }
    RequestStats stats = context.clients().stats();
    return metrics.text + requests(stats) + errors(stats);
  }

  /** Returns the text of a server that is loading its filters. */
  public static String whileLoading() {
    Metrics metrics = new Metrics(List.of());
    metrics.add(ServerMeasure.LOADING, 1);
    return metrics.text.toString();
  }

  private void add(ServerMeasure measure, double value) {
    if (!Double.isNaN(value)) {
      text.number(measure.prometheusName(), measure.type(), measure.help(), value);
    }
  }

  /** Adds what is known of all filters together, which is enough for all alerts. */
  private void allFilters() {
    sum(
        Measure.Type.COUNTER,
        "records_total",
        "Records of all filters",
        each -> each.report().records());
    sum(
        Measure.Type.COUNTER,
        "admitted_total",
        "Records that were new, of all filters",
        each -> each.report().admitted());
    sum(
        Measure.Type.COUNTER,
        "duplicates_total",
        "Duplicates of all filters",
        each -> each.report().duplicates());
    sum(
        Measure.Type.COUNTER,
        "evicted_early_total",
        "Keys evicted early by all filters since the startup",
        FilterHealth::evictedEarly);
    sum(
        Measure.Type.GAUGE,
        "reservations",
        "Items reserved in all filters",
        each -> each.report().inFlight());
    sum(
        Measure.Type.GAUGE,
        "filters_in_alarm",
        "Filters that evict keys of their window, reject new items because they are full, or drop"
            + " too many as duplicates; the live page shows them first",
        each -> each.severity() == Severity.ALARM ? 1 : 0);
    number(
        "most_reservations",
        "Items reserved in the filter that has most of them",
        filters.stream().mapToDouble(each -> each.report().inFlight()).max().orElse(0));
    number(
        "fullest_filter_ratio",
        "Keys held of keys that fit, in the fullest filter; above 1 it evicts keys early",
        filters.stream().flatMapToDouble(Metrics::ratio).max().orElse(0));
    number(
        "seconds_until_full",
        "Seconds until the next filter holds all keys that fit, if new ones keep coming as in the"
            + " last five minutes; +Inf if none will",
        filters.stream()
            .mapToDouble(each -> each.secondsUntilFull().orElse(0))
            .filter(seconds -> seconds > 0)
            .min()
            .orElse(Double.POSITIVE_INFINITY));
  }

  private static DoubleStream ratio(FilterHealth each) {
    long fits = each.report().keysThatFit().orElse(0);
    return fits == 0
        ? DoubleStream.empty()
        : DoubleStream.of((double) each.report().estimatedCardinality() / fits);
  }

  private void sum(
      Measure.Type type, String name, String help, ToLongFunction<FilterHealth> value) {
    text.number("unseen_server_" + name, type, help, filters.stream().mapToLong(value).sum());
  }

  private void number(String name, String help, double value) {
    text.number("unseen_server_" + name, Measure.Type.GAUGE, help, value);
  }

  private static String requests(RequestStats stats) {
    String name = "unseen_server_request_duration_seconds";
    StringBuilder lines =
        head(
            name,
            "histogram",
            "Time from when a request was read until its reply was written to"
                + " the buffer, including work in other threads, such as saves");
    SortedMap<Double, Long> within = stats.requestsWithin();
    within.forEach(
        (bound, count) ->
            lines.append(
                "%s_bucket{le=\"%s\"} %d\n"
                    .formatted(name, bound.isInfinite() ? "+Inf" : Print.number(bound), count)));
    return lines
        .append("%s_sum %s\n".formatted(name, Print.number(stats.seconds())))
        .append("%s_count %d\n".formatted(name, within.get(within.lastKey())))
        .toString();
  }

  private static String errors(RequestStats stats) {
    String name = "unseen_server_errors_total";
    StringBuilder lines = head(name, "counter", "Requests answered with an error, by its code");
    stats
        .errors()
        .forEach(
            (code, count) -> lines.append("%s{code=\"%s\"} %d\n".formatted(name, code, count)));
    return lines.toString();
  }

  private static StringBuilder head(String name, String type, String help) {
    return new StringBuilder("# HELP %s %s\n# TYPE %s %s\n".formatted(name, help, name, type));
  }
}
