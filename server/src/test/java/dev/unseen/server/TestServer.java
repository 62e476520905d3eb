package dev.unseen.server;

import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.ServerClock;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server in this process, at a free port, with a clock of its own. */
public final class TestServer implements AutoCloseable {
  private final AtomicLong millis;
  private final AtomicLong apart = new AtomicLong(); // of the machine's clock
  private final UnseenServer server;

  public TestServer(String... args) throws IOException {
    this(System.currentTimeMillis(), args);
  }

  /** Starts a server when the clock of the machine shows this time. */
  public TestServer(long now, String... args) throws IOException {
    millis = new AtomicLong(now);
    List<String> all = new ArrayList<>(List.of("--port", "0"));
    all.addAll(List.of(args));
    for (String option : List.of("--set-memory", "--memory")) {
      if (!all.contains(option)) {
        all.addAll(List.of(option, "1M"));
      }
    }
    server =
        UnseenServer.start(
            ServeOptions.parse(all.toArray(String[]::new)),
            new ServerClock(
                () -> Instant.ofEpochMilli(millis.get() + apart.get()),
                () -> TimeUnit.MILLISECONDS.toNanos(millis.get())));
  }

  /** Advances the clock, which only this method does. */
  public void pass(long more) {
    millis.addAndGet(more);
  }

  /** Sets the clock of the machine, although no time has passed. */
  public void setClock(long apartMillis) {
    apart.set(apartMillis);
  }

  public long now() {
    return millis.get();
  }

  public int port() {
    return server.port();
  }

  public UnseenServer server() {
    return server;
  }

  public RawClient client() throws IOException {
    return new RawClient(port());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
