package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MULTI, EXEC and DISCARD, as clients send them. */
class TransactionTest {
  private static final String ABORTED =
      "-EXECABORT Transaction discarded because of previous errors.";

  @TempDir Path directory;

  /** Sends lines at once, as a client's pipeline does, and checks the reply to each. */
  private static void says(RawClient client, String... linesAndReplies) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 0; i < linesAndReplies.length; i += 2) {
      lines.writeBytes(RawClient.request(linesAndReplies[i].split(" ", -1)));
    }
    client.send(lines.toByteArray());
    for (int i = 0; i < linesAndReplies.length; i += 2) {
      assertThat(client.reply()).as(linesAndReplies[i]).isEqualTo(linesAndReplies[i + 1]);
    }
  }

  /** Waits until a client gets this reply. */
  private static void await(RawClient client, String line, String reply) throws IOException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    String last = client.say(line);
    while (!last.contains(reply)) {
      assertThat(System.nanoTime()).as("'%s', last: %s", line, last).isLessThan(until);
      Thread.onSpinWait();
      last = client.say(line);
    }
  }

  @Test
  void executes_nothing_before_exec_and_everything_in_order_at_exec() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client();
        RawClient other = server.client()) {
      says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED", "EXISTS k", "+QUEUED");
      assertThat(other.say("EXISTS k")).isEqualTo(":0");
      says(
          client,
          "SET k 1 NX EX 60",
          "+QUEUED",
          "DEL k",
          "+QUEUED",
          "EXISTS k",
          "+QUEUED",
          "EXEC",
          "[+OK, :1, nil, :1, :0]",
          "EXEC",
          "-ERR EXEC without MULTI",
          "MULTI",
          "+OK",
          "EXEC",
          "[]",
          "UNWATCH",
          "+OK");
    }
  }

  @Test
  void discard_drops_what_was_queued() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      says(
          client,
          "MULTI",
          "+OK",
          "SET k 1 NX EX 60",
          "+QUEUED",
          "BF.ADD f a",
          "+QUEUED",
          "DISCARD",
          "+OK",
          "EXISTS k f",
          ":0",
          "DISCARD",
          "-ERR DISCARD without MULTI",
          "EXEC",
          "-ERR EXEC without MULTI");
    }
  }

  @Test
  void a_rejected_command_aborts_the_transaction() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      for (String rejected :
          List.of(
              "NOPE",
              "SET k",
              "WATCH k",
              "SETNX k 1",
              "SET k 1",
              "SET k 1 NX EX 99999999",
              "SUBSCRIBE c",
              "EVAL x 0",
              "SHUTDOWN",
              "MULTI x",
              "DISCARD x")) {
        says(client, "MULTI", "+OK", "SET before 1 NX EX 60", "+QUEUED");
        assertThat(client.say(rejected)).as(rejected).startsWith("-ERR ");
        says(
            client,
            "SET after 1 NX EX 60",
            "+QUEUED",
            "EXEC",
            ABORTED,
            "EXISTS before after",
            ":0");
      }
      says(
          client,
          "MULTI",
          "+OK",
          "SET k 1 NX EX 60",
          "+QUEUED",
          "EXEC x",
          "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command",
          "EXISTS k",
          ":0",
          "EXEC",
          "-ERR EXEC without MULTI");
    }
  }

  @Test
  void a_command_that_fails_at_exec_does_not_keep_the_others_from_running() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      says(
          client,
          "MULTI",
          "+OK",
          "UN.COMMIT none t",
          "+QUEUED",
          "MULTI",
          "-ERR MULTI calls can not be nested");
      says(client, "BF.CARD f x y", "-ERR wrong number of arguments for 'bf.card' command");
      says(client, "DISCARD", "+OK", "MULTI", "+OK", "UN.COMMIT none t", "+QUEUED");
      says(
          client, "SET k 1 NX EX 60", "+QUEUED", "EXEC", "[-ERR not found, +OK]", "EXISTS k", ":1");
    }
  }

  @Test
  void slow_commands_run_in_order_with_their_replies() throws IOException {
    try (TestServer server = new TestServer("--dir", directory.toString());
        RawClient client = server.client()) {
      says(
          client,
          "MULTI",
          "+OK",
          "BF.RESERVE f 0.01 100",
          "+QUEUED",
          "BF.ADD f a",
          "+QUEUED",
          "BF.ADD f a",
          "+QUEUED",
          "BF.RESERVE f 0.01 100",
          "+QUEUED",
          "SET k 1 NX EX 60",
          "+QUEUED",
          "SET k 1 NX EX 60",
          "+QUEUED",
          "SAVE",
          "+QUEUED",
          "BF.MADD g a b a",
          "+QUEUED",
          "EXISTS f g k none",
          "+QUEUED",
          "EXEC",
          "[+OK, :1, :0, -ERR item exists, +OK, nil, +OK, [:1, :1, :0], :3]",
          "BF.ADD f a",
          ":0",
          "PING",
          "+PONG");
    }
  }

  @Test
  void replies_are_those_of_the_protocol_that_the_client_speaks() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      client.say("HELLO 3");
      says(client, "MULTI", "+OK", "BF.ADD f a", "+QUEUED", "BF.EXISTS f b", "+QUEUED");
      says(client, "GET none", "+QUEUED", "EXEC", "[#t, #f, nil]");
      says(client, "MULTI", "+OK", "BF.ADD f a", "+QUEUED", "HELLO 2", "+QUEUED");
      says(client, "BF.ADD f a", "+QUEUED");
      assertThat(client.say("EXEC")).startsWith("[#f, ['server', ").endsWith(", :0]");
    }
  }

  @Test
  void users_are_checked_when_a_command_is_queued_and_when_it_is_executed() throws IOException {
    Path users = directory.resolve("users");
    Files.write(users, List.of("default s3cret admin", "reader r read"));
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
    try (TestServer server = new TestServer("--auth-file", users.toString());
        RawClient client = server.client()) {
      says(client, "MULTI", "-NOAUTH Authentication required.");
      says(client, "EXEC", "-NOAUTH Authentication required.", "AUTH reader r", "+OK");
      says(client, "MULTI", "+OK");
      assertThat(client.say("SET k 1 NX EX 60")).startsWith("-NOPERM User reader");
      says(client, "AUTH s3cret", "+QUEUED", "EXEC", ABORTED, "ACL WHOAMI", "'reader'");
      says(client, "AUTH s3cret", "+OK", "MULTI", "+OK", "AUTH reader r", "+QUEUED");
      says(client, "SET k 1 NX EX 60", "+QUEUED");
      assertThat(client.say("EXEC")).startsWith("[+OK, -NOPERM User reader");
      says(client, "EXISTS k", ":0");
    }
  }

  @Test
  void reset_and_quit_end_a_transaction_and_execute_nothing() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client();
        RawClient other = server.client()) {
      says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED", "RESET", "+RESET");
      says(client, "EXEC", "-ERR EXEC without MULTI", "EXISTS k", ":0");
      says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED", "QUIT", "+OK");
      assertThat(client.isClosed()).isTrue();
      says(other, "EXISTS k", ":0");
    }
  }

  @Test
  void a_connection_that_closes_before_exec_executes_nothing() throws IOException {
    try (TestServer server = new TestServer();
        RawClient other = server.client()) {
      try (RawClient client = server.client()) {
        says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED");
      }
      await(other, "INFO clients", "connected_clients:1\r\n");
      says(other, "EXISTS k", ":0");
    }
  }

  @Test
  void a_connection_that_closes_after_exec_does_not_cut_it_short() throws IOException {
    try (TestServer server = new TestServer();
        RawClient other = server.client()) {
      try (RawClient client = server.client()) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(RawClient.request("MULTI"));
        for (int i = 0; i < 50; i++) { // each is created in another thread
          all.writeBytes(RawClient.request("BF.ADD", "f" + i, "a"));
        }
        all.writeBytes(RawClient.request("EXEC"));
        client.send(all.toByteArray());
        assertThat(client.reply()).isEqualTo("+OK");
      }
      await(other, "DBSIZE", ":50");
    }
  }

  @Test
  void what_exec_has_done_is_in_the_journal() throws IOException {
    String kept = directory.resolve("data").toString();
    try (TestServer server = new TestServer("--dir", kept);
        RawClient client = server.client()) {
      says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED", "BF.ADD f a", "+QUEUED");
      says(client, "BF.ADD f b", "+QUEUED", "EXEC", "[+OK, :1, :1]");
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
    try (TestServer server = new TestServer("--dir", kept);
        RawClient client = server.client()) {
      says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED", "BF.MADD f a b c", "+QUEUED");
      says(client, "EXEC", "[nil, [:0, :0, :1]]");
    }
  }

  @Test
  void a_transaction_counts_in_max_buffers() throws IOException {
    try (TestServer server = new TestServer("--max-request", "64K", "--max-buffers", "320K");
        RawClient other = server.client()) {
      String item = "x".repeat(10_000);
      try (RawClient client = server.client()) {
        for (String end : List.of("DISCARD", "EXEC", "NOPE", "RESET")) {
          client.ask("MULTI"); // what was dropped or executed counts no more
          for (int i = 0; i < 20; i++) {
            assertThat(client.ask("ECHO", item)).isEqualTo("+QUEUED");
          }
          client.ask(end);
        }
        says(client, "MULTI", "+OK", "SET k 1 NX EX 60", "+QUEUED");
        String last = "+QUEUED";
        for (int i = 0; i < 40 && last.equals("+QUEUED"); i++) {
          last = client.ask("ECHO", item);
        }
        assertThat(last)
            .startsWith("-ERR all clients together hold more than 327680 bytes")
            .contains("commands between MULTI and EXEC")
            .endsWith("or start the server with a larger --max-buffers");
        assertThat(client.isClosed()).isTrue();
      }
      says(other, "EXISTS k", ":0");
      await(other, "INFO clients", "connected_clients:1\r\n");
      says(other, "MULTI", "+OK");
      for (int i = 0; i < 20; i++) {
        assertThat(other.ask("ECHO", item)).isEqualTo("+QUEUED");
      }
      assertThat(other.say("EXEC")).hasSizeGreaterThan(200_000);
    }
  }

  @Test
  void a_large_transaction_is_answered_while_the_client_reads() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(RawClient.request("MULTI"));
      String item = "y".repeat(100_000);
      int count = 100; // 10 MB of replies: more than sockets hold
      for (int i = 0; i < count; i++) {
        all.writeBytes(RawClient.request("ECHO", item));
      }
      all.writeBytes(RawClient.request("EXEC"));
      all.writeBytes(RawClient.request("PING"));
      client.send(all.toByteArray());
      assertThat(client.reply()).isEqualTo("+OK");
      for (int i = 0; i < count; i++) {
        assertThat(client.reply()).isEqualTo("+QUEUED");
      }
      assertThat(client.reply()).hasSize(count * (item.length() + 4));
      assertThat(client.reply()).isEqualTo("+PONG");
    }
  }
}
