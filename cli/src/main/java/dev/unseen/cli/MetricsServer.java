package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.unseen.audit.MeasuredRate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;

/**
 * Serves a run's figures as Prometheus reads them, at {@code /metrics}, on this machine only unless
 * told otherwise.
 *
 * <p>The deciding thread publishes them between batches, so nothing is read while it changes.
 */
final class MetricsServer implements AutoCloseable {
  private static final long PUBLISH_NANOS = 200_000_000;

  private final HttpServer server;
  private volatile String text = "";
  private long publishedAt;

  /** {@code 9100}, or {@code 0.0.0.0:9100} to be seen from elsewhere. */
  MetricsServer(String where) throws Failure {
    int colon = where.lastIndexOf(':');
    try {
      int port = Integer.parseInt(where.substring(colon + 1));
      InetAddress host =
          colon < 0
              ? InetAddress.getLoopbackAddress()
              : InetAddress.getByName(where.substring(0, colon));
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          "metrics-port '%s' is no port; write 9100 or 0.0.0.0:9100".formatted(where), e);
    } catch (IOException e) {
      throw Failure.inputOrOutput(
          "cannot serve metrics at %s: %s".formatted(where, e.getMessage()), e);
    }
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = text.getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
  }

  /** The port, which was chosen by the system if 0 was asked for. */
  int port() {
    return server.getAddress().getPort();
  }

  /** Whether the figures are old enough to publish new ones. */
  boolean isDue() {
    return publishedAt == 0 || System.nanoTime() - publishedAt >= PUBLISH_NANOS;
  }

  /** Shows these figures from now on. */
  void publish(Summary summary) {
    StringBuilder lines = new StringBuilder();
    Counts counts = summary.counts();
    type(lines, "unseen_records_total", "counter");
    lines.append("unseen_records_total{verdict=\"new\"} ").append(counts.fresh()).append('\n');
    lines
        .append("unseen_records_total{verdict=\"duplicate\"} ")
        .append(counts.duplicates())
        .append('\n');
    gauge(lines, "unseen_bytes_read", (double) counts.bytes());
    gauge(lines, "unseen_memory_bytes", (double) summary.filter().memoryBytes());
    gauge(lines, "unseen_load", summary.filter().load());
    gauge(lines, "unseen_estimated_fpr", summary.filter().estimatedFpr());
    summary.filter().estimatedFnr().ifPresent(rate -> gauge(lines, "unseen_estimated_fnr", rate));
    summary
        .audited()
        .ifPresent(
            report -> {
              rate(lines, "unseen_audited_fpr", report.fpr());
              rate(lines, "unseen_audited_fnr", report.fnr());
            });
    text = lines.toString();
    publishedAt = System.nanoTime();
  }

  private static void rate(StringBuilder lines, String name, MeasuredRate rate) {
    gauge(lines, name, rate.rate());
    gauge(lines, name + "_low", rate.low());
    gauge(lines, name + "_high", rate.high());
  }

  private static void gauge(StringBuilder lines, String name, double value) {
    type(lines, name, "gauge");
    lines.append(name).append(String.format(Locale.ROOT, " %s%n", value));
  }

  private static void type(StringBuilder lines, String name, String type) {
    lines.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
