package dev.unseen.server.net;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that want to do harm get an error, or are disconnected; the others are served. */
class HostileTest {
  @Test
  void unfinished_requests_of_all_clients_together_are_bounded() throws IOException {
    List<RawClient> slow = new ArrayList<>();
    try (TestServer server =
            new TestServer("--max-request", "64K", "--max-buffers", "320K", "--threads", "1");
        RawClient other =
            server.client()) { // one thread: a PING is answered after what came before
      assertThat(other.say("PING")).isEqualTo("+PONG");
      int rejected = 0;
      for (int i = 0; i < 12; i++) {
        RawClient client = server.client();
        slow.add(client);
        assertThat(client.say("PING")).isEqualTo("+PONG");
        client.send(("*2\r\n$4\r\nECHO\r\n$60000\r\n" + "x".repeat(59_990)).getBytes(US_ASCII));
        client.send("x".getBytes(US_ASCII));
        assertThat(other.say("PING")).isEqualTo("+PONG");
        rejected = rejections(other);
      }
      assertThat(rejected).isBetween(2, 11);
      assertThat(slow.get(11).reply())
          .startsWith(
              "-ERR all clients together hold more than 327680 bytes of unfinished requests")
          .endsWith("or start the server with a larger --max-buffers");
      assertThat(slow.get(11).isClosed()).isTrue();
      for (RawClient client : slow) {
        client.close();
      }
      await("the others to be gone")
          .until(() -> other.say("INFO clients").contains("connected_clients:1\r\n"));
      try (RawClient next = server.client()) { // what they held is free again
        next.send(RawClient.request("ECHO", "y".repeat(60_000)));
        assertThat(next.reply()).hasSize(60_002);
      }
    }
  }

  private static int rejections(RawClient client) throws IOException {
    String info = client.say("INFO stats");
    return Integer.parseInt(info.replaceAll("(?s).*rejected_connections:(\\d+).*", "$1"));
  }

  @Test
  void replies_that_nobody_takes_are_bounded() throws IOException {
    try (TestServer server = new TestServer("--max-request", "64K", "--max-buffers", "320K");
        RawClient greedy = server.client();
        RawClient alike = server.client();
        RawClient other = server.client()) {
      for (RawClient client : List.of(greedy, alike)) {
        Thread sender = new Thread(() -> sendOnly(client));
        sender.setDaemon(true);
        sender.start();
      }
      assertThat(awaitRefusal(other)).as("at once, and not after a minute").isBetween(1, 2);
    }
  }

  /** Sends until the connection ends, and reads nothing. */
  private static void sendOnly(RawClient client) {
    byte[] request = RawClient.request("ECHO", "x".repeat(60_000));
    try {
      for (int i = 0; i < 2000; i++) {
        client.send(request);
      }
    } catch (IOException e) {
      // disconnected
    }
  }

  /** Waits until the server has rejected something, and returns how often. */
  private static int awaitRefusal(RawClient client) throws IOException {
    await("something to be rejected, and not after the minute that a stalled client has")
        .atMost(Duration.ofSeconds(50))
        .until(() -> rejections(client) > 0);
    return rejections(client);
  }

  @Test
  void absurd_sizes_are_rejected_with_the_limit() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.001 9223372036854775807"))
          .isEqualTo("-ERR capacity (9223372036854775807) must be at most 35184372088832");
      assertThat(client.say("BF.RESERVE f 0.001 9223372036854775807 NONSCALING"))
          .isEqualTo("-ERR capacity (9223372036854775807) must be at most 35184372088832");
      assertThat(client.say("BF.RESERVE f 0.001 35184372088832")).startsWith("-ERR memory (");
      assertThat(client.say("BF.RESERVE f 0.001 35184372088832 NONSCALING"))
          .startsWith("-ERR memory (");
      assertThat(client.say("BF.RESERVE f 0.001 1000000000000"))
          .startsWith("-OOM filter 'f' needs");
      assertThat(client.say("BF.RESERVE f 1e-300 1000"))
          .startsWith("-ERR error rate (1.0E-300) must be at least 1.0E-9");
      assertThat(client.ask("KEYS", "[".repeat(100_000))).startsWith("-ERR a pattern of 100000");
      assertThat(client.ask("CLIENT", "SETNAME", "x".repeat(100_000)))
          .startsWith("-ERR a name of 100000 characters is too long");
      assertThat(client.ask("CLIENT", "SETINFO", "LIB-NAME", "x".repeat(100_000)))
          .startsWith("-ERR a name of 100000 characters is too long");
      assertThat(client.ask("CF.ADD" + "x".repeat(100_000), "a")).hasSizeLessThan(1100);
      assertThat(client.say("DBSIZE")).isEqualTo(":0");
      assertThat(client.say("INFO memory")).contains("used_memory:0");
    }
  }

  @Test
  void names_lead_to_no_other_directory_and_any_bytes_are_a_name() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      for (String name : List.of("../../etc/passwd", "/", "..", "", "a\nb\u0000\r\n", "%2f")) {
        assertThat(client.ask("BF.ADD", name, "a")).as(name).isEqualTo(":1");
        assertThat(client.ask("BF.EXISTS", name, "a")).as(name).isEqualTo(":1");
      }
      assertThat(client.ask("BF.ADD", "n".repeat(300), "a"))
          .startsWith("-ERR the name of a filter (300 bytes) is too long for its file");
    }
  }

  @Test
  void a_browser_that_a_page_has_led_here_is_disconnected() throws IOException {
    for (String head : List.of("POST / HTTP/1.1\r\n", "GET /x y\r\nHost: 127.0.0.1:7379\r\n")) {
      try (TestServer server = new TestServer();
          RawClient browser = server.client();
          RawClient client = server.client()) {
        browser.send((head + "\r\nBF.ADD f a\r\n").getBytes(US_ASCII));
        assertThat(browser.isClosed()).isTrue();
        assertThat(client.say("EXISTS f")).isEqualTo(":0");
      }
    }
  }

  @Test
  void connections_to_the_page_have_a_limit() throws IOException {
    byte[] request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
    List<RawClient> idle = new ArrayList<>();
    try (TestServer server = new TestServer("--http", "0")) {
      int port = server.server().httpPort().orElseThrow();
      for (int i = 0; i < 500; i++) {
        idle.add(new RawClient(port));
        idle.get(i).send(request);
        assertThat(idle.get(i).awaitReply()).isTrue();
      }
      try (RawClient more = new RawClient(port)) {
        more.send(request);
        assertThat(more.awaitReply()).isTrue();
        assertThat(idle.get(0).isClosed()).as("the one that was idle for longest").isTrue();
      }
      for (RawClient client : idle) {
        client.close();
      }
    }
  }

  @Test
  void arguments_of_unfinished_requests_count_too() throws IOException {
    List<RawClient> slow = new ArrayList<>();
    try (TestServer server = new TestServer("--max-request", "1M", "--max-buffers", "5M");
        RawClient other = server.client()) {
      byte[] request = ("*200000\r\n" + "$0\r\n\r\n".repeat(170_000)).getBytes(US_ASCII);
      for (int i = 0; i < 2; i++) { // 1 MB that have come, and 2 MB for places of arguments
        slow.add(server.client());
        slow.get(i).send(request);
        assertThat(other.say("PING")).isEqualTo("+PONG");
      }
      assertThat(awaitRefusal(other)).isEqualTo(1);
      for (RawClient client : slow) {
        client.close();
      }
      assertThat(other.say("PING")).isEqualTo("+PONG");
    }
  }
}
