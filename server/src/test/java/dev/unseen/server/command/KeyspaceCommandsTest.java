package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyspaceCommandsTest {
  private TestServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer("--max-keys", "30");
    client = server.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private void says(String line, String reply) throws IOException {
    assertThat(client.say(line)).as(line).isEqualTo(reply);
  }

  @Test
  void filters_are_found_by_pattern_and_by_scan() throws IOException {
    Set<String> all = new TreeSet<>();
    for (int i = 0; i < 25; i++) {
      says("BF.RESERVE f" + i + " 0.01 10", "+OK");
      all.add("'f" + i + "'");
    }
    says("DBSIZE", ":25");
    says("KEYS f1?", "['f10', 'f11', 'f12', 'f13', 'f14', 'f15', 'f16', 'f17', 'f18', 'f19']");
    says("KEYS f[2-3]", "['f2', 'f3']");
    says("KEYS nothing*", "[]");
    Set<String> scanned = new TreeSet<>();
    String cursor = "0";
    do {
      String reply = client.say("SCAN " + cursor + " COUNT 7");
      cursor = reply.substring(2, reply.indexOf("',"));
      String names = reply.substring(reply.indexOf(", [") + 3, reply.length() - 2);
      for (String name : names.split(", ", -1)) {
        assertThat(scanned.add(name)).isTrue();
      }
    } while (!cursor.equals("0"));
    assertThat(scanned).isEqualTo(all);
    says("DEL f0 f1 none", ":2");
    says("EXISTS f0 f2 f2", ":2");
    says("FLUSHDB", "+OK");
    says("DBSIZE", ":0");
  }

  @Test
  void a_filter_expires_as_a_whole() throws IOException {
    says("BF.RESERVE f 0.01 10", "+OK");
    says("TTL f", ":-1");
    says("TTL none", ":-2");
    says("EXPIRE none 10", ":0");
    says("EXPIRE f 100", ":1");
    says("TTL f", ":100");
    says("PERSIST f", ":1");
    says("TTL f", ":-1");
    says("PEXPIRE f 50", ":1");
    server.pass(80);
    says("EXISTS f", ":0");
    says("BF.ADD f a", ":1");
    says("EXPIRE f 0", ":1");
    says("EXISTS f", ":0");
  }

  @Test
  void an_expiry_out_of_range_is_rejected_and_deletes_nothing() throws IOException {
    says("BF.RESERVE f 0.01 10", "+OK");
    for (String number : List.of("-9223372036854775808", "9223372036854775807")) {
      says("EXPIRE f " + number, "-ERR invalid expire time in 'expire' command");
      says("pexpire f " + number, "-ERR invalid expire time in 'pexpire' command");
    }
    says("EXISTS f", ":1");
    assertThat(client.say("PEXPIRE f 10 NX")).startsWith("-ERR PEXPIRE with NX is not offered");
  }

  @Test
  void an_expired_filter_is_neither_listed_nor_counted() throws IOException {
    says("BF.RESERVE f 0.01 10", "+OK");
    says("BF.RESERVE g 0.01 10", "+OK");
    says("PEXPIRE f 50", ":1");
    server.pass(50); // nobody asks for f, and what is done once a second may come later
    says("DBSIZE", ":1");
    says("KEYS *", "['g']");
    says("SCAN 0", "['0', ['g']]");
    assertThat(client.say("INFO keyspace")).contains("db0:keys=1,expires=0");
  }

  @Test
  void del_deletes_the_filter_and_the_key_of_set_of_the_same_name() throws IOException {
    says("BF.ADD both a", ":1");
    says("SET both 1 NX EX 60", "+OK");
    says("DEL both", ":1");
    says("EXISTS both", ":0");
    says("BF.EXISTS both a", ":0");
    says("SET both 1 NX EX 60", "+OK");
  }

  @Test
  void a_rejected_merge_is_not_logged() throws IOException {
    says("BF.RESERVE x 0.001 1000", "+OK");
    says("BF.RESERVE w 0.001 1000 WINDOW 1h", "+OK");
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler = new LogList(logged);
    Logger log = Logger.getLogger("dev.unseen.server");
    log.addHandler(handler);
    try {
      assertThat(client.say("UN.MERGE x w")).startsWith("-ERR ").contains("window");
      assertThat(client.say("UN.MERGE w x")).startsWith("-ERR ").contains("window");
    } finally {
      log.removeHandler(handler);
    }
    assertThat(logged).isEmpty();
  }

  /** Collects what is logged. */
  private static final class LogList extends Handler {
    private final List<LogRecord> logged;

    LogList(List<LogRecord> logged) {
      this.logged = logged;
    }

    @Override
    public void publish(LogRecord logRecord) {
      logged.add(logRecord);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void too_many_filters_and_names_too_long_for_a_file_are_rejected() throws IOException {
    for (int i = 0; i < 30; i++) {
      says("BF.RESERVE f" + i + " 0.01 10", "+OK");
    }
    assertThat(client.say("BF.RESERVE more 0.01 10"))
        .startsWith("-ERR there are 30 filters, which is the limit");
    says("DEL f0", ":1");
    assertThat(client.say("BF.RESERVE " + "x".repeat(300) + " 0.01 10"))
        .startsWith("-ERR the name of a filter (300 bytes) is too long");
    says("BF.RESERVE naïve/../é 0.01 10", "+OK");
    says("EXISTS naïve/../é", ":1");
  }

  @Test
  void our_own_commands() throws IOException {
    says("UN.ADMIT f a", ":1");
    says("UN.ADMIT f a", ":0");
    says("BF.RESERVE w 0.001 1000 WINDOW 1h", "+OK");
    long now = server.now();
    says("UN.ADMIT w a TIME " + (now - 7_200_000), ":1");
    says("UN.ADMIT w a TIME " + (now - 7_100_000), ":0");
    says("UN.ADMIT w a TIME " + now, ":1");
    assertThat(client.say("UN.ADMIT w a TIME " + (now + 90_000_000))).startsWith("-ERR TIME ");
    assertThat(client.say("UN.ADMIT w a b")).startsWith("-ERR syntax error");
    assertThat(client.say("UN.REPORT f"))
        .startsWith("['records', :2, 'admitted', :1, 'duplicates', :1, 'memory_bytes', :");
    says("UN.REPORT none", "-ERR not found");

    String granted = client.say("UN.RESERVE f order");
    assertThat(granted).startsWith("['GRANTED', '");
    String token = granted.substring(13, granted.length() - 2);
    says("UN.RESERVE f order", "['INFLIGHT', nil]");
    says("UN.ROLLBACK f " + token, ":1");
    granted = client.say("UN.RESERVE f order");
    token = granted.substring(13, granted.length() - 2);
    says("UN.COMMIT f " + token, ":1");
    assertThat(client.say("UN.COMMIT f " + token))
        .startsWith("-NORESERVATION there is no reservation");
    says("UN.RESERVE f order", "['DUPLICATE', nil]");
    says("BF.EXISTS f order", ":1");

    assertThat(client.say("UN.RESERVE f timed EX")).startsWith("-ERR syntax error; use UN.RESERVE");
    assertThat(client.say("UN.RESERVE f timed EX 0")).contains("must be 10 ms to 366 days");
    says("BF.RESERVE x 0.001 1000", "+OK");
    says("BF.RESERVE y 0.001 1000", "+OK");
    says("BF.MADD x a b", "[:1, :1]");
    says("BF.MADD y b c", "[:1, :1]");
    says("UN.MERGE x y", "+OK");
    says("BF.MEXISTS x a b c d", "[:1, :1, :1, :0]");
    says("BF.MEXISTS y a b c d", "[:0, :1, :1, :0]");
    assertThat(client.say("UN.MERGE x w")).startsWith("-ERR ");
    assertThat(client.say("UN.MERGE x x")).startsWith("-ERR a filter cannot be merged with itself");
  }

  @Test
  void flush_with_a_word_that_it_does_not_know_deletes_nothing() throws IOException {
    says("BF.ADD f a", ":1");
    says("FLUSHALL FOO", "-ERR syntax error");
    says("FLUSHDB ASYNC SYNC", "-ERR syntax error");
    says("DBSIZE", ":1");
    says("FLUSHDB async", "+OK");
    says("DBSIZE", ":0");
  }

  @Test
  void a_time_that_would_clear_the_window_is_rejected() throws IOException {
    says("BF.RESERVE w 0.001 1000 WINDOW 1h", "+OK");
    says("BF.ADD w a", ":1");
    assertThat(client.say("UN.ADMIT w b TIME " + (server.now() + 3_600_000)))
        .contains("at most 450s later than now");
    says("BF.EXISTS w a", ":1");
    says("UN.ADMIT w b TIME " + (server.now() + 450_000), ":1");
    says("BF.EXISTS w a", ":1");
  }

  @Test
  void what_the_page_remembers_of_a_filter_counts_as_its_memory() throws IOException {
    says("BF.RESERVE f 0.01 10", "+OK");
    assertThat(Integer.parseInt(client.say("MEMORY USAGE f").substring(1)))
        .isGreaterThan(2 * 3600 * 4);
  }
}
