package dev.unseen.server;

import dev.unseen.Measure;
import dev.unseen.PrometheusText;
import dev.unseen.Report;
import java.util.LinkedHashMap;
import java.util.Map;

/** The text that Prometheus reads. */
final class Metrics {
  private Metrics() {}

  static String text(ServerView view) {
    Map<String, Report> reports = new LinkedHashMap<>();
    view.filters().forEach(filter -> reports.put(filter.name(), filter.report()));
    return new PrometheusText()
        .reports("filter", reports)
        .number("unseen_server_filters", Measure.Type.GAUGE, "Filters", view.filters().size())
        .number(
            "unseen_server_memory_bytes",
            Measure.Type.GAUGE,
            "Bytes of all filters",
            view.usedMemory())
        .number(
            "unseen_server_max_memory_bytes",
            Measure.Type.GAUGE,
            "Bytes that all filters may use",
            view.maxMemory())
        .number("unseen_server_clients", Measure.Type.GAUGE, "Connections", view.clients())
        .number("unseen_server_requests_total", Measure.Type.COUNTER, "Requests", view.requests())
        .number(
            "unseen_server_last_save_milliseconds",
            Measure.Type.GAUGE,
            "Time of the last save, since 1970",
            view.lastSaveMillis())
        .number(
            "unseen_server_failing",
            Measure.Type.GAUGE,
            "1 if nothing can be saved or noted at present",
            view.failure().isEmpty() ? 0 : 1)
        .toString();
  }
}
