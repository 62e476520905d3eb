package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What RedisBloom's documentation and flow tests promise to clients, and where this server differs
 * on purpose: see "What differs from RedisBloom" in docs/server.md.
 */
class RedisBloomBehaviorTest {
  @TempDir Path directory;

  private TestServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer("--dir", directory.resolve("data").toString());
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BF.RESERVE",
        "BF.RESERVE new",
        "BF.RESERVE new 0.01",
        "BF.RESERVE new 0.01 many",
        "BF.RESERVE new rare 100",
        "BF.RESERVE new 0 100",
        "BF.RESERVE new 1 100",
        "BF.RESERVE new 1.5 100",
        "BF.RESERVE new -0.1 100",
        "BF.RESERVE new nan 100",
        "BF.RESERVE new 0.01 0",
        "BF.RESERVE new 0.01 -5",
        "BF.RESERVE new 0.01 18446744073709551616",
        "BF.RESERVE new 0.01 1000000000000000000",
        "BF.RESERVE new 0.01 10 SOMETHING",
        "BF.RESERVE new 0.01 10 EXPANSION",
        "BF.RESERVE new 0.01 10 EXPANSION -1",
        "BF.RESERVE new 0.01 10 EXPANSION many",
        "BF.RESERVE new 0.01 10 NONSCALING EXPANSION 1",
        "BF.RESERVE there 0.01 10",
        "BF.ADD",
        "BF.ADD there",
        "BF.ADD there one two",
        "BF.MADD",
        "BF.MADD there",
        "BF.EXISTS there",
        "BF.EXISTS there one two",
        "BF.MEXISTS there",
        "BF.INSERT new",
        "BF.INSERT new ITEMS",
        "BF.INSERT new SOMETHING ITEMS one",
        "BF.INSERT new NOCREATE ITEMS one",
        "BF.INSERT new NOCREATE ITEMS",
        "BF.INSERT new CAPACITY",
        "BF.INSERT new CAPACITY 0.5 ITEMS one",
        "BF.INSERT new CAPACITY 0 ITEMS one",
        "BF.INSERT new CAPACITY 1000000000000000000 ITEMS one",
        "BF.INSERT new ERROR",
        "BF.INSERT new ERROR rare ITEMS one",
        "BF.INSERT new ERROR 1 ITEMS one",
        "BF.INSERT new EXPANSION 0 ITEMS one",
        "BF.INSERT new EXPANSION many ITEMS one",
        "BF.CARD",
        "BF.INFO",
        "BF.INFO new",
        "BF.INFO there SOMETHING",
        "BF.INFO there CAPACITY SIZE"
      })
  void an_invalid_request_is_an_error_and_changes_nothing(String request) throws IOException {
    says("BF.RESERVE there 0.01 10", "+OK");
    assertThat(client.say(request)).startsWith("-");
    says("EXISTS new", ":0");
    says("BF.CARD there", ":0");
    says("PING", "+PONG");
  }

  @Test
  void a_filter_that_does_not_exist_contains_nothing_and_is_created_by_the_first_item()
      throws IOException {
    says("BF.EXISTS f one", ":0");
    says("BF.MEXISTS f one two", "[:0, :0]");
    says("BF.CARD f", ":0");
    says("EXISTS f", ":0");
    says("BF.ADD f one", ":1");
    says("EXISTS f", ":1");
    says("BF.CARD f", ":1");
  }

  @Test
  void options_of_an_insert_are_ignored_if_the_filter_exists() throws IOException {
    says("BF.INSERT f CAPACITY 700 ERROR 0.01 ITEMS one", "[:1]");
    says("BF.INSERT f CAPACITY 5 ERROR 0.5 NONSCALING ITEMS one two", "[:0, :1]");
    says("BF.INFO f CAPACITY", "[:700]");
    says("BF.INFO f EXPANSION", "[:2]");
  }

  @Test
  void names_of_commands_and_options_have_no_case() throws IOException {
    says("bf.Insert f capacity 10 error 0.01 NonScaling items one one", "[:1, :0]");
    says("bf.info f Capacity", "[:10]");
  }

  @Test
  void items_are_bytes_and_may_be_empty() throws IOException {
    assertThat(client.ask("BF.ADD", "f", "")).isEqualTo(":1");
    assertThat(client.ask("BF.ADD", "f", "")).isEqualTo(":0");
    assertThat(client.ask("BF.ADD", "f", "a\r\n\0b")).isEqualTo(":1");
    assertThat(client.ask("BF.MEXISTS", "f", "", "a\r\n\0b", "a")).isEqualTo("[:1, :1, :0]");
  }

  @Test
  void everything_is_known_after_a_restart() throws IOException {
    says("BF.RESERVE f 0.001 1000", "+OK");
    says("BF.MADD f one two three", "[:1, :1, :1]");
    says("BF.RESERVE full 0.001 2 NONSCALING", "+OK");
    says("BF.MADD full one two", "[:1, :1]");
    stop();
    start();
    says("BF.MEXISTS f one two three four", "[:1, :1, :1, :0]");
    says("BF.CARD f", ":3");
    says("BF.INFO f CAPACITY", "[:1000]");
    says("BF.MADD full one three", "[:0, -ERR non scaling filter is full]");
  }

  /**
   * At capacity, with 20,000 queries. The number of false positives is binomial with at most this
   * rate; five standard deviations more fail once in three million runs.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001, 0.0001})
  void the_error_rate_holds_at_capacity(double rate) throws IOException {
    int capacity = 2000;
    int queries = 20_000;
    for (String kind : List.of("", " NONSCALING")) {
      says("BF.RESERVE f %s %d%s".formatted(rate, capacity, kind), "+OK");
      many("BF.ADD", "in", capacity);
      double most = queries * rate + 5 * Math.sqrt(queries * rate * (1 - rate)) + 1;
      assertThat((double) many("BF.EXISTS", "out", queries)).as(kind).isLessThanOrEqualTo(most);
      says("DEL f", ":1");
    }
  }

  /** Sends a command for many items. Returns how often the reply was 1. */
  private int many(String command, String prefix, int count) throws IOException {
    int ones = 0;
    for (int from = 0; from < count; from += 1000) {
      int to = Math.min(count, from + 1000);
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      for (int i = from; i < to; i++) {
        requests.writeBytes(RawClient.request(command, "f", prefix + i));
      }
      client.send(requests.toByteArray());
      for (int i = from; i < to; i++) {
        ones += client.reply().equals(":1") ? 1 : 0;
      }
    }
    return ones;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.99 3", "0.95 8", "0.9999999999999999 100"})
  void a_very_high_error_rate_is_possible(String filter) throws IOException {
    says("BF.RESERVE f %s NONSCALING".formatted(filter), "+OK");
    says("BF.ADD f one", ":1");
    says("BF.EXISTS f one", ":1");
  }

  /** What differs, as the document lists it. */
  @Test
  void differences_are_those_that_the_document_lists() throws IOException {
    assertThat(client.say("BF.RESERVE f 0.01 4 EXPANSION 2"))
        .contains("EXPANSION 2 is not offered");
    assertThat(client.say("BF.INSERT f EXPANSION 2 ITEMS a")).contains("EXPANSION 2 is not");
    says("BF.RESERVE never 0.01 4 EXPANSION 0", "+OK");
    says("BF.INFO never EXPANSION", "[nil]");
    for (String command :
        List.of("BF.SCANDUMP never 0", "BF.LOADCHUNK never 1 x", "BF.DEBUG never")) {
      assertThat(client.say(command)).startsWith("-ERR unknown command");
    }
    says("SET both 1 NX EX 60", "+OK");
    says("BF.ADD both item", ":1");
    says("BF.CARD both", ":1");
    says("DEL both", ":1");
    says("EXISTS both", ":0");
  }
}
