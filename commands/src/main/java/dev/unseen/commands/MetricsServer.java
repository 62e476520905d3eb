package dev.unseen.commands;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.io.InputException;
import dev.unseen.metrics.PrometheusText;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Serves a run's figures as Prometheus reads them, at {@code /metrics}, on this machine only by
 * default. Misbehaving clients cannot affect the run.
 *
 * <p>A connection serves one request, has its own thread, and ends after a few seconds, however
 * slow its client is. There are at most sixteen at a time; when another comes, the oldest is
 * closed, so that clients that say nothing cannot keep others out for long, nor use up descriptors
 * or memory. Java's own server has no such limits: one stalled client blocks all others.
 *
 * <p>The thread that decides publishes the figures between batches, so nothing is read while it
 * changes.
 */
public final class MetricsServer implements AutoCloseable {
  private static final long PUBLISH_NANOS = 200_000_000;
  private static final int MAX_CONNECTIONS = 16;
  private static final int MAX_REQUEST_BYTES = 8192;
  private static final int SECONDS = 5;
  private static final int BACKLOG = 128;

  private final ServerSocket server;
  private final Deque<Socket> clients = new ArrayDeque<>(); // the oldest first; guarded by itself
  private volatile String text = "";
  private long publishedAt;

  /**
   * Listens at {@code 9100}, or at {@code 0.0.0.0:9100} for other machines.
   *
   * @throws IllegalArgumentException if this is not a port
   */
  public MetricsServer(String where) throws IOException {
    int colon = where.lastIndexOf(':');
    try {
      int port = Integer.parseInt(where.substring(colon + 1));
      InetAddress host =
          colon < 0
              ? InetAddress.getLoopbackAddress()
              : InetAddress.getByName(where.substring(0, colon));
      server = new ServerSocket();
      server.setReuseAddress(true); // a run that follows another may have its port at once
      server.bind(new InetSocketAddress(host, port), BACKLOG);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--metrics-port '%s' must be a port, such as 9100 or 0.0.0.0:9100".formatted(where), e);
    } catch (IOException e) {
      throw new InputException(
          "cannot serve metrics at %s: %s".formatted(where, e.getMessage()), e);
    }
    start("metrics", this::accept);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(null, work, name, 1 << 17); // a small stack: little is done on it
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        synchronized (clients) {
          clients.add(client);
          while (clients.size() > MAX_CONNECTIONS) {
            end(clients.remove());
          }
        }
        start("metrics client", () -> serve(client));
      } catch (IOException | OutOfMemoryError e) { // no descriptor or no thread is left for it
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the port; if 0 was asked for, the one that the system chose. */
  public int port() {
    return server.getLocalPort();
  }

  /** Returns the time until new figures should be published. */
  public long nanosUntilDue() {
    return publishedAt == 0 ? 0 : PUBLISH_NANOS - (System.nanoTime() - publishedAt);
  }

  /** Shows these figures, in the text format of Prometheus, from now on. */
  public void publish(String figures) {
    text = figures;
    publishedAt = System.nanoTime();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // The process ends, and the port with it.
    }
    synchronized (clients) {
      clients.forEach(MetricsServer::end);
    }
  }

  private void serve(Socket client) {
    try {
      answer(firstLine(client), client.getOutputStream());
      client.shutdownOutput();
    } catch (IOException e) {
      // The client has gone, is too slow, or speaks nonsense: it is none of the run's business.
    } finally {
      end(client);
      synchronized (clients) {
        clients.remove(client);
      }
    }
  }

  /** Reads to the end of the head of a request. */
  private static String firstLine(Socket client) throws IOException {
    long since = System.nanoTime();
    byte[] head = new byte[MAX_REQUEST_BYTES];
    int length = 0;
    while (length < head.length) {
      long left = SECONDS * 1000L - (System.nanoTime() - since) / 1_000_000;
      client.setSoTimeout((int) Math.max(1, left)); // for all of it, not for each byte
      int count = client.getInputStream().read(head, length, head.length - length);
      if (count < 0) {
        break;
      }
      length += count;
      String soFar = new String(head, 0, length, US_ASCII);
      if (soFar.contains("\r\n\r\n") || soFar.contains("\n\n")) {
        return soFar.lines().findFirst().orElse("");
      }
    }
    throw new IOException("no request");
  }

  private void answer(String request, OutputStream out) throws IOException {
    String[] words = request.split(" ", -1);
    boolean known = words.length > 1 && words[1].split("\\?", 2)[0].equals("/metrics");
    boolean get = words[0].equals("GET") || words[0].equals("HEAD");
    byte[] body =
        !get
            ? "only GET is served\n".getBytes(UTF_8)
            : known ? text.getBytes(UTF_8) : "the figures are at /metrics\n".getBytes(UTF_8);
    String status = !get ? "405 Method Not Allowed" : known ? "200 OK" : "404 Not Found";
    String head =
        String.join(
            "\r\n",
            "HTTP/1.1 " + status,
            "Content-Type: " + PrometheusText.CONTENT_TYPE,
            "Content-Length: " + body.length,
            "Connection: close",
            "",
            "");
    out.write(head.getBytes(US_ASCII));
    if (!words[0].equals("HEAD")) {
      out.write(body);
    }
    out.flush();
  }

  /** Closes a connection. Any thread may call this; pending reads and writes then fail. */
  private static void end(Socket client) {
    try {
      client.close();
    } catch (IOException e) {
      // It is gone.
    }
  }
}
