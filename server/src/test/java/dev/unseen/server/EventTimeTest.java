package dev.unseen.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import dev.unseen.testing.TimedStream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Items that come with times of their own. */
class EventTimeTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  @TempDir Path directory;

  private static String admit(RawClient client, String item, long millis) throws IOException {
    return client.say("UN.ADMIT f %s TIME %d".formatted(item, millis));
  }

  /** The clock follows the latest time, because none may be ahead of it. */
  @Property(tries = 15)
  void agrees_with_an_exact_model_in_any_order(Choices choices) throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      TimedStream stream = TimedStream.drawn(choices, server.now()).refreshing();
      String filter =
          "BF.RESERVE f 0.000001 10000 WINDOW %dms LATENESS %dms"
              .formatted(stream.window(), stream.lateness());
      assertThat(client.say(filter)).isEqualTo("+OK");
      for (TimedStream.Timed record : stream.records()) {
        server.pass(Math.max(0, record.millis() - server.now()));
        stream.check(record, admit(client, record.key(), record.millis()).equals(":1"));
      }
    }
  }

  @Test
  void a_late_item_is_compared_by_its_own_time() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      long now = server.now();
      client.say("BF.RESERVE f 0.001 1000 WINDOW 1h LATENESS 2d");
      assertThat(admit(client, "b", now)).isEqualTo(":1");
      assertThat(admit(client, "a", now - DAY - 2 * HOUR)).isEqualTo(":1");
      assertThat(admit(client, "a", now - DAY)).as("two hours later").isEqualTo(":1");
      assertThat(admit(client, "a", now - DAY + HOUR / 2)).isEqualTo(":0");
      assertThat(client.say("BF.EXISTS f a")).as("now").isEqualTo(":0");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      assertThat(client.say("UN.REPORT f")).contains("'late_times', :0");
    }
  }

  @Test
  void an_item_that_is_too_late_is_admitted_or_dropped_or_an_error() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      long now = server.now();
      client.say("BF.RESERVE f 0.001 1000 WINDOW 1h"); // and a lateness of one window
      admit(client, "b", now);
      for (int i = 0; i < 2; i++) {
        assertThat(admit(client, "a", now - 3 * HOUR)).as("not remembered").isEqualTo(":1");
      }
      assertThat(client.say("UN.REPORT f")).contains("'late_times', :2");
      String late = "UN.ADMIT f a TIME %d LATE ".formatted(now - 3 * HOUR);
      assertThat(client.say(late + "admit")).isEqualTo(":1");
      assertThat(client.say(late + "DROP")).isEqualTo(":0");
      assertThat(client.say(late + "FAIL"))
          .startsWith("-TOOLATE TIME " + (now - 3 * HOUR) + " is before the latest time by more")
          .contains("than 1h")
          .contains("LATENESS");
      assertThat(client.say(late + "maybe")).contains("known: ADMIT, DROP, FAIL");
      String inTime = "UN.ADMIT f a TIME %d LATE FAIL".formatted(now - HOUR / 2);
      assertThat(client.say(inTime)).isEqualTo(":1");
      assertThat(client.say(inTime)).isEqualTo(":0");
    }
  }

  @Test
  void a_lateness_that_cannot_be_is_rejected() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.001 1000 LATENESS 1h"))
          .isEqualTo("-ERR LATENESS 1h needs a WINDOW; add one, or leave LATENESS out");
      assertThat(client.say("BF.RESERVE f 0.001 1000 WINDOW 1h LATENESS 0s"))
          .isEqualTo("-ERR LATENESS (0s) must be at least 1 ms");
      assertThat(client.say("BF.RESERVE f 0.001 1000 WINDOW 1s LATENESS 7d"))
          .contains("LATENESS (7d) must be 0 to 1,000 windows");
      assertThat(client.say("BF.RESERVE f 0.001 1000 WINDOW 1s LATENESS soon"))
          .contains("LATENESS 'soon' must be a time");
    }
  }

  /** Without a save: the journal has every item with the time by which it was decided. */
  @Test
  void a_journal_is_repeated_with_the_times_of_the_items() throws IOException {
    String[] args = {"--dir", directory.resolve("data").toString()};
    long now;
    try (TestServer server = new TestServer(args);
        RawClient client = server.client()) {
      now = server.now();
      client.say("BF.RESERVE f 0.001 1000 WINDOW 1h LATENESS 2d");
      assertThat(admit(client, "b", now)).isEqualTo(":1");
      assertThat(admit(client, "a", now - DAY)).isEqualTo(":1");
      assertThat(admit(client, "c", now - 9 * DAY)).as("too late").isEqualTo(":1");
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
    try (TestServer server = new TestServer(args);
        RawClient client = server.client()) {
      assertThat(admit(client, "b", now - HOUR / 2)).isEqualTo(":0");
      assertThat(admit(client, "a", now - DAY + HOUR / 2)).isEqualTo(":0");
      assertThat(admit(client, "a", now - DAY - 2 * HOUR)).isEqualTo(":1");
      assertThat(admit(client, "a", now)).isEqualTo(":1");
      assertThat(admit(client, "c", now - 9 * DAY)).as("too late again").isEqualTo(":1");
    }
  }
}
