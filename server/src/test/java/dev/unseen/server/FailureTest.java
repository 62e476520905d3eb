package dev.unseen.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.ServerClock;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that fails for a reason nobody has thought of gets a reply, and is logged. */
class FailureTest {
  private static final Logger LOG = Logger.getLogger("dev.unseen.server");
  private static final String INTERNAL = "-ERR internal error: ";

  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private volatile String failing = ""; // where the clock fails
  private volatile boolean worked; // whether a worker has asked for the time

  @BeforeEach
  void watch() {
    LOG.addHandler(handler);
  }

  @AfterEach
  void unwatch() {
    LOG.removeHandler(handler);
  }

  private long time() {
    String thread = Thread.currentThread().getName();
    boolean worker = thread.startsWith("unseen-worker");
    boolean loop = thread.startsWith("unseen-loop");
    worked |= worker;
    if ((failing.equals("worker") && worker)
        || (failing.equals("loop") && loop)
        || (failing.equals("pages") && thread.startsWith("unseen-pages"))
        || (failing.equals("loop after worker") && loop && worked)) {
      throw new LinkageError("the clock of this test");
    }
    return System.nanoTime();
  }

  private UnseenServer start() throws IOException {
    return UnseenServer.start(
        ServeOptions.parse("--port", "0", "--http", "0", "--memory", "1M", "--set-memory", "1M"),
        new ServerClock(InstantSource.system(), this::time));
  }

  @ParameterizedTest
  @CsvSource({
    "worker, BF.RESERVE new 0.01 100 WINDOW 1h", // while a worker creates the filter
    "loop after worker, SET new 1 NX EX 7200", // after it was created
    "loop, BF.CARD f", // in the event loop
  })
  void an_error_inside_a_command_gets_a_reply_and_is_logged(String where, String line)
      throws IOException {
    try (UnseenServer server = start();
        RawClient client = new RawClient(server.port())) {
      assertThat(client.say("BF.RESERVE f 0.01 100 WINDOW 1h")).isEqualTo("+OK");
      worked = false;
      failing = where;
      assertThat(client.say(line)).startsWith(INTERNAL).doesNotContain("clock");
      assertThat(client.say("PING")).isEqualTo("+PONG");
      client.say("MULTI");
      client.say("ECHO a");
      worked = false;
      String other = line.replace("new", "newer").replace("7200", "10800");
      assertThat(client.say(other)).isEqualTo("+QUEUED");
      client.say("ECHO b");
      assertThat(client.say("EXEC")).startsWith("['a', " + INTERNAL).endsWith(", 'b']");
      failing = "";
      assertThat(client.say(line)).doesNotStartWith(INTERNAL);
      assertThat(logged)
          .filteredOn(record -> record.getThrown() instanceof LinkageError)
          .hasSize(2)
          .allSatisfy(record -> assertThat(record.getMessage()).isEqualTo("a command failed"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BF.ADD f a", "SET k 1 NX EX 60"})
  void an_error_inside_a_batch_closes_the_connection_and_is_logged(String line) throws IOException {
    try (UnseenServer server = start();
        RawClient client = new RawClient(server.port());
        RawClient other = new RawClient(server.port())) {
      client.say("BF.RESERVE f 0.01 100 WINDOW 1h");
      client.say("SET other 1 NX EX 60");
      failing = "loop";
      client.send(RawClient.request(line.split(" ", -1)));
      assertThat(client.isClosed()).isTrue();
      failing = "";
      assertThat(other.say("PING")).isEqualTo("+PONG");
      assertThat(logged).anyMatch(record -> record.getThrown() instanceof LinkageError);
    }
  }

  @Test
  void an_error_does_not_stop_the_pages_and_what_runs_every_second() throws Exception {
    try (UnseenServer server = start();
        RawClient client = new RawClient(server.port())) {
      client.say("BF.RESERVE f 0.01 100 WINDOW 1h");
      failing = "pages";
      Patience.await("the log")
          .until(
              () ->
                  logged.stream()
                      .anyMatch(record -> record.getMessage().startsWith("expired filters")));
      assertThat(status(server, "/try?filter=f&item=a")).isEqualTo(500);
      failing = "";
      assertThat(status(server, "/try?filter=f&item=a")).isEqualTo(200);
      client.say("PEXPIRE f 1");
      Patience.await("the expiry")
          .until(() -> client.say("INFO memory").contains("used_memory:0\r\n"));
    }
  }

  private static int status(UnseenServer server, String path) throws Exception {
    URI page = URI.create("http://localhost:" + server.httpPort().getAsInt() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString())
        .statusCode();
  }
}
