package dev.unseen.server;

import dev.unseen.server.options.ServeOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A server in this process, at a free port, with a clock of its own. */
public final class TestServer implements AutoCloseable {
  private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());
  private final UnseenServer server;

  public TestServer(String... args) throws IOException {
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
            () -> Instant.ofEpochMilli(millis.get()));
  }

  /** Lets time pass. It does not pass by itself. */
  public void pass(long more) {
    millis.addAndGet(more);
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
