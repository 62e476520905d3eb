package dev.unseen.server.monitor;

import dev.unseen.Measure;
import dev.unseen.Report;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.durable.Durability;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The text that Prometheus reads. */
public final class Metrics {
  private static final String LOADING =
      "1 while the server loads its filters or waits as a standby, otherwise 0";

  private final PrometheusText text = new PrometheusText();

  private Metrics() {}

  public static String text(ServerView view, Optional<Durability> durability) {
    Metrics metrics = new Metrics();
    metrics.server(view);
    durability.ifPresent(metrics::durability);
    return metrics.text.toString();
  }

  /** Returns the text of a server that is loading its filters. */
  public static String whileLoading() {
    Metrics metrics = new Metrics();
    metrics.text.buildInfo();
    metrics.gauge("loading", LOADING, 1);
    return metrics.text.toString();
  }

  private void server(ServerView view) {
    Map<String, Report> reports = new LinkedHashMap<>();
    view.filters().forEach(filter -> reports.put(filter.name(), filter.report()));
    text.buildInfo().reports("filter", reports);
    gauge("loading", LOADING, 0);
    gauge("filters", "Number of filters", view.filters().size());
    gauge("memory_bytes", "Memory of all filters in bytes", view.usedMemory());
    gauge("max_memory_bytes", "Limit for the memory of all filters in bytes", view.maxMemory());
    gauge(
        "deleted_keys",
        "Keys of SET that are deleted and have not expired in their filter",
        view.deletedKeys());
    gauge("max_deleted_keys", "Limit for deleted_keys", view.limits().deletedKeys());
    gauge(
        "max_reservations",
        "Limit for the items of one filter that are reserved at a time, unseen_in_flight",
        view.limits().reservations());
    gauge("clients", "Open client connections", view.clients());
    counter("requests_total", "Requests processed", view.requests());
    counter("connections_total", "Connections accepted", view.connections());
    counter(
        "rejected_clients_total",
        "Connections rejected or closed because of --max-clients or --max-buffers",
        view.rejectedClients());
    counter("auth_failures_total", "Wrong passwords", view.authFailures());
    counter(
        "clock_jumps_total",
        "Times that the clock of the machine was set forward or back",
        view.clockJumps());
    gauge(
        "failing",
        "1 if the journal cannot be written or the last save failed, otherwise 0",
        view.failure().isEmpty() ? 0 : 1);
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

  private void gauge(String name, String help, long value) {
    gauge(name, help, (double) value);
  }

  private void gauge(String name, String help, double value) {
    text.number("unseen_server_" + name, Measure.Type.GAUGE, help, value);
  }
}
