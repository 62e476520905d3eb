package dev.unseen.server.monitor;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.command.Clients;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.ProcessMemory;
import dev.unseen.server.command.RequestStats;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.text.Print;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToLongFunction;

/** The text that Prometheus reads. */
public final class Metrics {
  private static final String LOADING =
      "1 while the server loads its filters or waits as a standby, otherwise 0";

  private final PrometheusText text = new PrometheusText();

  private Metrics() {}

  /**
   * Returns the text of a server.
   *
   * @param eachFilter whether to add the measures of each filter, and not only their sums
   */
  public static String text(Context context, boolean eachFilter) {
    Metrics metrics = new Metrics();
    metrics.text.buildInfo();
    Map<String, Report> reports = new LinkedHashMap<>();
    List<ServedFilter> filters = context.keyspace().all();
    filters.forEach(filter -> reports.put(filter.shownName(), filter.report()));
    if (eachFilter) {
      metrics.text.reports("filter", reports);
    }
    metrics.sums(filters, reports.values());
    metrics.server(context, filters.size());
    metrics.process();
    context.durability().ifPresent(metrics::durability);
    RequestStats stats = context.clients().stats();
    return metrics.text + requests(stats) + errors(stats);
  }

  /** Adds what is known of all filters together. */
  private void sums(List<ServedFilter> filters, Collection<Report> reports) {
    counter("records_total", "Records of all filters", sum(reports, Report::records));
    counter("duplicates_total", "Duplicates of all filters", sum(reports, Report::duplicates));
    long evicted = filters.stream().mapToLong(ServedFilter::evictedEarly).sum();
    counter("evicted_early_total", "Keys evicted early by all filters since the startup", evicted);
    gauge("reservations", "Items reserved in all filters", sum(reports, Report::inFlight));
    gauge(
        "fullest_filter_ratio",
        "Keys held of keys that fit, in the fullest filter; above 1 it evicts keys early",
        reports.stream()
            .filter(report -> report.keysThatFit().orElse(0) > 0)
            .mapToDouble(
                report ->
                    (double) report.estimatedCardinality() / report.keysThatFit().orElseThrow())
            .max()
            .orElse(0));
  }

  private static long sum(Collection<Report> reports, ToLongFunction<Report> value) {
    return reports.stream().mapToLong(value).sum();
  }

  private void process() {
    ProcessMemory.residentBytes()
        .ifPresent(
            bytes ->
                text.number(
                    "process_resident_memory_bytes",
                    Measure.Type.GAUGE,
                    "Resident memory of the process in bytes",
                    bytes));
    gauge("heap_bytes", "Size of the heap of Java in bytes", Runtime.getRuntime().totalMemory());
    long millis =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
            .sum();
    text.number(
        "unseen_server_gc_seconds_total",
        Measure.Type.COUNTER,
        "Time for which all threads were paused to collect garbage",
        millis / 1e3);
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

  /** Returns the text of a server that is loading its filters. */
  public static String whileLoading() {
    Metrics metrics = new Metrics();
    metrics.text.buildInfo();
    metrics.gauge("loading", LOADING, 1);
    return metrics.text.toString();
  }

  private void server(Context context, int filters) {
    Keyspace keyspace = context.keyspace();
    MemoryBudget memory = keyspace.budget();
    Clients clients = context.clients();
    gauge("loading", LOADING, 0);
    gauge("filters", "Number of filters", filters);
    gauge("memory_bytes", "Memory of all filters in bytes", memory.used());
    gauge("max_memory_bytes", "Limit for the memory of all filters in bytes", memory.filterLimit());
    gauge("buffer_bytes", "Memory that all connections hold in bytes", memory.buffers());
    gauge("max_buffer_bytes", "Limit for buffer_bytes", memory.bufferLimit());
    gauge(
        "deleted_keys",
        "Keys of SET that are deleted and have not expired in their filter",
        keyspace.setKeys().deletedKeys());
    gauge("max_deleted_keys", "Limit for deleted_keys", keyspace.limits().deletedKeys());
    gauge(
        "max_reservations",
        "Limit for the items of one filter that are reserved at a time, unseen_in_flight",
        keyspace.limits().reservations());
    gauge("clients", "Open client connections", clients.count());
    counter("requests_total", "Requests processed", clients.requests());
    counter("connections_total", "Connections accepted", clients.connections());
    counter(
        "rejected_clients_total",
        "Connections rejected or closed because of --max-clients or --max-buffers",
        clients.rejections());
    counter("auth_failures_total", "Wrong passwords", clients.logins().failures());
    counter(
        "clock_jumps_total",
        "Times that the clock of the machine was set forward or back",
        context.clock().jumps());
    gauge(
        "failing",
        "1 if the journal cannot be written or the last save failed, otherwise 0",
        context.failure().isEmpty() ? 0 : 1);
  }

  private void durability(Durability durability) {
    gauge(
        "last_save_timestamp_seconds",
        "Unix time of the last successful save, or of the startup before the first",
        durability.lastSaveMillis() / 1e3);
    gauge(
        "last_save_duration_seconds",
        "Duration of the last successful save",
        durability.lastSaveNanos() / 1e9);
    counter("saves_total", "Successful saves", durability.saves());
    seconds("save_seconds_total", "Duration of all successful saves", durability.saveNanos());
    counter(
        "journal_written_bytes_total",
        "Bytes written to the journal since the startup",
        durability.writtenBytes());
    counter("fsyncs_total", "Times that the journal was forced to the disk", durability.forces());
    seconds(
        "fsync_seconds_total",
        "Time for which the journal was forced to the disk",
        durability.forceNanos());
    gauge("journal_bytes", "Size of the current journal segment", durability.journalBytes());
    gauge(
        "load_damaged_files",
        "Files that were damaged or missing when the server started",
        durability.damagedFiles());
    gauge(
        "load_damaged_bytes",
        "Bytes of damaged journal records that were skipped when the server started",
        durability.damagedBytes());
  }

  private void counter(String name, String help, long value) {
    text.number("unseen_server_" + name, Measure.Type.COUNTER, help, value);
  }

  private void seconds(String name, String help, long nanos) {
    text.number("unseen_server_" + name, Measure.Type.COUNTER, help, nanos / 1e9);
  }

  private void gauge(String name, String help, long value) {
    gauge(name, help, (double) value);
  }

  private void gauge(String name, String help, double value) {
    text.number("unseen_server_" + name, Measure.Type.GAUGE, help, value);
  }
}
