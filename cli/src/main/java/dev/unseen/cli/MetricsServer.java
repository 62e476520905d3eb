package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.unseen.Measure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;

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
    for (Measure measure : Measure.all()) {
      if (measure.valueIn(summary.report()).isPresent()) {
        String type = measure.type() == Measure.Type.COUNTER ? "counter" : "gauge";
        add(lines, measure.prometheusName(), type, measure.help(), measure.text(summary.report()));
      }
    }
    String bytes = Long.toString(summary.counts().bytes());
    add(lines, "unseen_read_bytes_total", "counter", "Bytes read, after decompression", bytes);
    text = lines.toString();
    publishedAt = System.nanoTime();
  }

  private static void add(
      StringBuilder lines, String name, String type, String help, String value) {
    lines.append("# HELP ").append(name).append(' ').append(help).append('\n');
    lines.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    lines.append(name).append(' ').append(value).append('\n');
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
