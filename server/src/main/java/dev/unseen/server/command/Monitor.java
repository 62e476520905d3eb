package dev.unseen.server.command;

import dev.unseen.server.resp.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Sends all requests to the clients that have asked for them with MONITOR, as Redis shows them. */
final class Monitor {
  private static final int MAX_SHOWN = 64; // arguments
  private static final int MAX_LENGTH = 128; // characters of an argument

  private final Set<Client> watchers = ConcurrentHashMap.newKeySet();
  private volatile boolean watched;

  void add(Client client) {
    watchers.add(client);
    watched = true;
  }

  void remove(Client client) {
    if (watchers.remove(client)) {
      watched = !watchers.isEmpty();
    }
  }

  /** Shows a request that a client has sent. A watcher that reads too slowly misses some. */
  void show(Client client, Request request) {
    if (watched) {
      String line = line(client, request);
      watchers.forEach(watcher -> watcher.send(line));
    }
  }

  private static String line(Client client, Request request) {
    long micros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    StringBuilder line =
        new StringBuilder(
            "+%d.%06d [0 %s]".formatted(micros / 1_000_000, micros % 1_000_000, client.address()));
    boolean secret = request.is(0, "AUTH") || request.is(0, "HELLO");
    for (int i = 0; i < Math.min(MAX_SHOWN, request.count()); i++) {
      line.append(" \"").append(i > 0 && secret ? "(redacted)" : quoted(request, i)).append('"');
    }
    return line.append("\r\n").toString();
  }

  private static String quoted(Request request, int index) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(MAX_LENGTH, request.length(index)); i++) {
      char c = (char) (request.at(index, i) & 0xFF);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        text.append("\\x%02x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
