package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SetCommandsTest {
  private TestServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer();
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
  void the_first_is_ok_and_the_next_are_nil_until_it_has_expired() throws IOException {
    says("SET event:1 1 NX EX 86400", "+OK");
    says("SET event:1 1 NX EX 86400", "nil");
    says("SET event:1 1 EX 86400 NX", "nil");
    says("set event:1 1 px 86400000 nx", "nil");
    says("SET event:2 1 NX PX 800", "+OK");
    for (int i = 0; i < 7; i++) { // asked again and again, it is not renewed
      says("SET event:2 1 NX PX 800", "nil");
      server.pass(100);
    }
    server.pass(99); // 799 ms
    says("SET event:2 1 NX PX 800", "nil");
    server.pass(117); // 916 ms, and the longest that it is held is 8/7 of 800
    says("SET event:2 1 NX PX 800", "+OK");
    says("SET event:1 1 NX EX 86400", "nil");
    long later = server.now() / 1000 + 100;
    says("SET event:3 1 NX EXAT " + later, "+OK");
    says("SET event:3 1 NX EXAT " + later, "nil");
  }

  @Test
  void a_key_is_one_key_whatever_its_expiry() throws IOException {
    says("SET k 1 NX EX 60", "+OK");
    says("SET k 1 NX EX 3600", "nil");
    says("EXISTS k none", ":1");
    says("TYPE k", "+string");
    says("TYPE none", "+none");
  }

  @Test
  void a_key_that_is_set_already_needs_no_filter_for_another_expiry() throws IOException {
    says("SET k 1 NX EX 60", "+OK");
    String before = client.say("INFO memory").replaceAll("(?s)used_memory_human.*", "");
    says("SET k 1 NX EX 3600", "nil");
    says("SET k 1 NX EXAT " + (server.now() / 1000 + 7200), "nil");
    says("MULTI", "+OK");
    says("SET k 1 NX EX 86400", "+QUEUED");
    says("EXEC", "[nil]");
    assertThat(client.say("INFO memory")).startsWith(before);
    assertThat(client.say("INFO set")).contains("set_ex_1m:").doesNotContain("set_ex_1h:");
    says("SET other 1 NX EX 3600", "+OK");
    assertThat(client.say("INFO set")).contains("set_ex_1m:").contains("set_ex_1h:keys=1,");
  }

  @Test
  void a_deleted_key_can_be_set_again_and_expires_again() throws IOException {
    says("SET lock 1 NX PX 500", "+OK");
    server.pass(300);
    says("DEL lock none", ":1");
    says("EXISTS lock", ":0");
    says("DEL lock", ":0");
    says("SET lock 1 NX PX 500", "+OK");
    server.pass(350); // 650 ms after the first, which the filter has forgotten by now
    says("SET lock 1 NX PX 500", "nil");
    says("EXISTS lock", ":1");
    server.pass(250);
    says("SET lock 1 NX PX 500", "+OK");
    says("SET lock 1 NX PX 500", "nil");
  }

  @Test
  void what_an_approximate_set_cannot_do_is_said_plainly() throws IOException {
    says("SET k 1 NX EX 60", "+OK");
    says("GET none", "nil");
    assertThat(client.say("GET k")).startsWith("-ERR 'k' was set, but values are not stored");
    assertThat(client.say("TTL k")).startsWith("-ERR 'k' was set, but when it expires is not");
    assertThat(client.say("SET k 1")).startsWith("-ERR SET without NX is not offered");
    assertThat(client.say("SET k 1 EX 5")).startsWith("-ERR SET without NX is not offered");
    assertThat(client.say("SET k 1 NX")).startsWith("-ERR SET with NX needs EX or PX here");
    assertThat(client.say("SETNX k 1"))
        .startsWith("-ERR SETNX needs EX or PX here: keys without an expiry would need memory")
        .endsWith("or start the server with --set-default-expiry");
    assertThat(client.say("SET k 1 XX EX 5")).startsWith("-ERR SET with XX is not offered");
    says("SET k 1 NX EX 0", "-ERR invalid expire time in 'set' command");
    says("SET k 1 NX EX x", "-ERR value is not an integer or out of range");
    says("SET k 1 NX EX 5 NONSENSE", "-ERR syntax error");
    assertThat(client.say("SET k 1 NX EX 99999999")).contains("longer than the longest, 366 days");
  }

  @Test
  void expire_makes_a_key_expire_later_or_earlier() throws IOException {
    says("SET later 1 NX EX 10", "+OK");
    says("EXPIRE later 100", ":1");
    says("SET sooner 1 NX EX 100", "+OK");
    says("PEXPIRE sooner 10000", ":1");
    says("SET now 1 NX EX 100", "+OK");
    says("EXPIRE now 0", ":1");
    says("EXISTS now", ":0");
    says("EXPIRE none 10", ":0");
    says("EXPIRE none 0", ":0");
    assertThat(client.say("EXPIRE later 99999999")).contains("longer than the longest, 366 days");
    server.pass(9_999);
    says("SET sooner 1 NX EX 100", "nil");
    server.pass(1);
    says("SET sooner 1 NX EX 100", "+OK");
    server.pass(89_999);
    says("SET later 1 NX EX 10", "nil");
    server.pass(40_000); // the grid has 120 seconds, which are held for 138 at most
    says("SET later 1 NX EX 10", "+OK");
  }

  @Test
  void setnx_uses_the_default_expiry_which_expire_changes() throws IOException {
    try (TestServer lenient = new TestServer("--set-default-expiry", "1m");
        RawClient other = lenient.client()) {
      assertThat(other.say("SETNX k 1")).isEqualTo(":1");
      assertThat(other.say("SETNX k 1")).isEqualTo(":0");
      assertThat(other.say("SET k 1 NX")).isEqualTo("nil");
      assertThat(other.say("SET l 1 NX")).isEqualTo("+OK");
      assertThat(other.say("EXPIRE l 3600")).isEqualTo(":1");
      assertThat(other.say("MULTI")).isEqualTo("+OK");
      assertThat(other.say("SETNX m 1")).isEqualTo("+QUEUED");
      assertThat(other.say("EXPIRE m 60")).isEqualTo("+QUEUED");
      assertThat(other.say("EXEC")).isEqualTo("[:1, :1]");
      lenient.pass(59_999);
      assertThat(other.say("SETNX k 1")).isEqualTo(":0");
      lenient.pass(10_000);
      assertThat(other.say("SETNX k 1")).isEqualTo(":1");
      assertThat(other.say("SETNX l 1")).isEqualTo(":0");
    }
  }

  @Test
  void the_advice_for_another_expiry_works() throws IOException {
    says("SET k 1 NX EX 60", "+OK");
    says("DEL k", ":1");
    says("SET k 1 NX EX 10", "+OK");
    server.pass(10_000);
    says("EXISTS k", ":0");
  }

  @Test
  void the_number_of_expiries_has_a_limit() throws IOException {
    String last = "";
    int made = 0;
    for (int minutes : new int[] {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50}) {
      for (int unit : new int[] {1, 60, 1440}) {
        last = client.say("SET k" + minutes + "-" + unit + " 1 NX EX " + minutes * unit);
        made += last.equals("+OK") ? 1 : 0;
      }
    }
    assertThat(last).startsWith("-ERR keys of SET have 32 different expiries, which is the limit");
    assertThat(made).isGreaterThanOrEqualTo(32);
  }

  @Test
  void expiries_that_nobody_uses_any_more_cost_nothing() throws IOException {
    says("SET a 1 NX EX 60", "+OK");
    says("SET b 1 NX EX 3600", "+OK");
    server.pass(60_000 * 8 / 7 + 600_000 + 2000);
    awaitGone("SET EX 1m");
    says("SET b 1 NX EX 3600", "nil");
    says("SET a 1 NX EX 60", "+OK");
    says("SET a 1 NX EX 60", "nil");
  }

  /** Waits for what is done once a second. */
  private void awaitGone(String name) {
    Patience.await("the end of " + name)
        .until(() -> client.ask("UN.REPORT", name).equals("-ERR not found"));
  }

  @Test
  void flush_forgets_keys_of_set_too() throws IOException {
    says("SET a 1 NX EX 60", "+OK");
    says("SET b 1 NX EX 60", "+OK");
    says("DEL b", ":1");
    says("FLUSHALL", "+OK");
    says("SET a 1 NX EX 60", "+OK");
    says("SET b 1 NX EX 60", "+OK");
    says("SET b 1 NX EX 60", "nil");
  }

  @Test
  void an_expiry_that_has_passed_is_ok_and_leaves_no_key() throws IOException {
    says("SET k 1 NX EXAT 1", "+OK");
    says("EXISTS k", ":0");
    says("SET k 1 NX PXAT " + (server.now() - 1), "+OK");
    says("SET k 1 NX PXAT " + (server.now() + 60_000), "+OK");
    says("SET k 1 NX EXAT 1", "nil");
    says("EXISTS k", ":1");
  }

  @Test
  void numbers_are_read_as_strictly_as_redis_reads_them() throws IOException {
    List<String> others = List.of("+10", "010", "-0", "-", "10 ", "1e1", "\u0661\u0660", "");
    List<String> tooLarge =
        List.of("9223372036854775808", "-9223372036854775809", "18446744073709551626");
    for (String number : Stream.of(others, tooLarge).flatMap(List::stream).toList()) {
      assertThat(client.ask("SET", "k", "1", "NX", "EX", number))
          .as(number)
          .isEqualTo("-ERR value is not an integer or out of range");
    }
    for (String rate : List.of("0.01f", "0.01d", " 0.01", "0x1p-5", "NaN")) {
      assertThat(client.ask("BF.RESERVE", "f", rate, "10"))
          .as(rate)
          .isEqualTo("-ERR bad error rate");
    }
    says("BF.RESERVE f 1e-2 10", "+OK");
    says("BF.RESERVE g .01 10", "+OK");
  }

  @Test
  void unsupported_commands_are_rejected_with_the_remedy() throws IOException {
    for (String line :
        List.of("SETEX k 10 v", "INCR k", "MSETNX k v", "GETSET k v", "hsetnx h f v")) {
      assertThat(client.say(line))
          .as(line)
          .startsWith("-ERR unknown command '" + line.substring(0, line.indexOf(' ')) + "': values")
          .contains("use SET key value NX EX seconds");
    }
    assertThat(client.say("SADD s a")).contains("use BF.ADD and BF.EXISTS");
    assertThat(client.say("EVAL x 0")).contains("in one step");
    assertThat(client.say("WATCH k")).contains("keys cannot be watched");
    assertThat(client.say("PUBLISH c m")).contains("no messages");
    assertThat(client.say("CLUSTER INFO")).contains("one process without replicas");
    assertThat(client.say("CMS.INCRBY c a 1")).contains("not counted one by one");
    for (String name :
        ("SUBSCRIBE PSUBSCRIBE LPUSH RPUSH HSET HMGET ZADD ZINCRBY TOPK.ADD TDIGEST.ADD EXPIREAT"
                + " PEXPIREAT RENAME TOUCH OBJECT WAIT FUNCTION BGREWRITEAOF WATCH"
                + " DEBUG DUMP RESTORE RANDOMKEY BF.DEBUG BF.SCANDUMP REPLCONF")
            .split(" ", -1)) {
      assertThat(client.say(name + " a b"))
          .as(name)
          .startsWith("-ERR unknown command '" + name + "': ") // clients look for these words
          .contains("; ");
    }
    says("SET k 1 NX EX 60", "+OK");
    assertThat(client.say("PERSIST k")).startsWith("-ERR a key of SET always expires");
    says("PERSIST none", ":0");
  }

  @Test
  void a_deleted_key_stays_deleted_when_the_clock_is_set_back() throws IOException {
    says("SET a 1 NX EX 60", "+OK");
    server.pass(-3_600_000);
    says("SET b 1 NX EX 60", "+OK");
    says("DEL b", ":1");
    server.pass(70_000); // the window of the filter, by a clock that was not set back
    says("EXISTS b", ":0");
    says("SET b 1 NX EX 60", "+OK");
    says("SET b 1 NX EX 60", "nil");
  }
}
