package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Deleted keys and reservations have limits, which the operator sets, and count their memory. */
class LimitsTest {
  private static String token(RawClient client, String line) throws IOException {
    String granted = client.say(line);
    assertThat(granted).startsWith("['GRANTED', '");
    return granted.substring(13, granted.length() - 2);
  }

  private static long used(RawClient client) throws IOException {
    return Long.parseLong(client.say("INFO memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
  }

  @Test
  void deleted_keys_are_limited_until_they_have_expired() throws IOException {
    try (TestServer server = new TestServer("--max-deleted-keys", "2");
        RawClient client = server.client()) {
      for (String key : "a b c".split(" ", -1)) {
        assertThat(client.say("SET " + key + " 1 NX EX 60")).isEqualTo("+OK");
      }
      assertThat(client.say("DEL a b")).isEqualTo(":2");
      assertThat(client.say("DEL c"))
          .startsWith("-ERR 2 keys of SET are deleted and not yet expired, which is the limit")
          .endsWith("or start the server with a larger --max-deleted-keys");
      assertThat(client.say("INFO set"))
          .contains("set_deleted_keys:2\r\n", "set_max_deleted_keys:2\r\n");
      server.pass(70_000);
      assertThat(client.say("SET c 1 NX EX 60")).isEqualTo("+OK");
      assertThat(client.say("DEL c")).isEqualTo(":1");
    }
  }

  @Test
  void deleted_keys_count_in_the_memory_and_release_it() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("SET k0 1 NX EX 60")).isEqualTo("+OK");
      long before = used(client);
      for (int i = 0; i < 1000; i++) {
        client.say("SET k" + i + " 1 NX EX 60");
        assertThat(client.say("DEL k" + i)).isEqualTo(":1");
      }
      assertThat(used(client) - before).isBetween(1000L * 24, 1000L * 72);
      server.pass(70_000);
      server.server().commands().context().keyspace().writeAll(Journal.NONE); // as a save does
      assertThat(used(client)).isEqualTo(before);
    }
  }

  @Test
  void a_reservation_expires_after_the_time_that_its_client_gives() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.001 1000")).isEqualTo("+OK");
      String lasting = token(client, "UN.RESERVE f lasting EX 3600");
      String brief = token(client, "UN.RESERVE f brief PX 100");
      String usual = token(client, "UN.RESERVE f usual");
      server.pass(99);
      assertThat(client.say("UN.RESERVE f brief")).isEqualTo("['INFLIGHT', nil]");
      server.pass(1);
      assertThat(client.say("UN.COMMIT f " + brief))
          .startsWith("-NORESERVATION there is no reservation");
      token(client, "UN.RESERVE f brief");
      server.pass(59_899);
      assertThat(client.say("UN.RESERVE f usual")).isEqualTo("['INFLIGHT', nil]");
      server.pass(1);
      assertThat(client.say("UN.ROLLBACK f " + usual))
          .startsWith("-NORESERVATION there is no reservation");
      assertThat(client.say("UN.COMMIT f " + lasting)).isEqualTo(":1");
      assertThat(client.say("UN.RESERVE f lasting")).isEqualTo("['DUPLICATE', nil]");
    }
  }

  @Test
  void reservations_are_limited_and_count_in_the_memory() throws IOException {
    try (TestServer server = new TestServer("--max-reservations", "2");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.001 1000")).isEqualTo("+OK");
      long before = used(client);
      String first = token(client, "UN.RESERVE f a");
      token(client, "UN.RESERVE f b EX 10");
      assertThat(used(client)).isEqualTo(before + 2 * 768);
      assertThat(client.say("UN.RESERVE f c"))
          .startsWith("-RESERVATIONLIMIT 2 items of this filter are reserved, which is the limit")
          .endsWith("or start the server with a larger --max-reservations");
      assertThat(client.say("INFO errorstats")).contains("errorstat_RESERVATIONLIMIT:count=1\r\n");
      assertThat(client.say("UN.REPORT f")).contains("'in_flight', :2");
      server.pass(10_000);
      assertThat(client.say("UN.REPORT f")).contains("'in_flight', :1");
      assertThat(used(client)).isEqualTo(before + 768);
      assertThat(client.say("UN.ROLLBACK f " + first)).isEqualTo(":1");
      assertThat(used(client)).isEqualTo(before);
      token(client, "UN.RESERVE f c");
      assertThat(client.say("DEL f")).isEqualTo(":1");
      assertThat(used(client)).isZero();
    }
  }
}
