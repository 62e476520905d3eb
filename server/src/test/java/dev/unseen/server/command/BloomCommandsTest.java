package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BloomCommandsTest {
  private TestServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer("--max-memory", "64M");
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
  void an_item_with_an_expiry_is_new_again_after_it() throws IOException {
    says("BF.ADD k item EX 2", ":1");
    says("BF.ADD k item EX 2", ":0");
    says("BF.ADD k item", ":0");
    says("BF.ADD k other PX 2000", ":1");
    server.pass(1_999);
    says("BF.ADD k item EX 2", ":0"); // which does not renew it
    says("BF.EXISTS k item", ":1");
    server.pass(1_001);
    says("BF.EXISTS k item", ":0");
    says("BF.ADD k item EX 2", ":1");
    assertThat(client.say("BF.INFO k")).contains("+Window, '2s'");
    says("BF.RESERVE sized 0.001 1000 EX 60", "+OK");
    says("BF.INSERT made CAPACITY 1000 EX 60 ITEMS a b", "[:1, :1]");
    for (String key : List.of("sized", "made")) {
      says("BF.ADD " + key + " new EX 60", ":1");
    }
  }

  @Test
  void an_expiry_that_a_filter_cannot_give_is_rejected() throws IOException {
    says("BF.ADD k item EX 2", ":1");
    says(
        "BF.ADD k item EX 3",
        "-ERR the items of filter 'k' expire after 2s, not after 3s; use one key for each expiry");
    says("BF.ADD plain item", ":1");
    assertThat(client.say("BF.ADD plain item EX 2"))
        .startsWith("-ERR filter 'plain' was created without EX");
    says(
        "BF.ADD k item EX 0",
        "-ERR invalid expire time in 'bf.add' command: EX 0 must be 10 ms to 366 days");
    assertThat(client.say("BF.ADD k item PX 9")).contains("must be 10 ms to 366 days");
    assertThat(client.say("BF.ADD k item EX 9223372036854775807")).contains("to 366 days");
    says("BF.ADD k item EX x", "-ERR value is not an integer or out of range");
    for (String line : List.of("BF.ADD k item EX", "BF.ADD k item WINDOW 1h", "BF.ADD k a b")) {
      assertThat(client.say(line)).as(line).startsWith("-ERR syntax error; use BF.ADD key item");
    }
    for (String other : List.of("NONSCALING", "WINDOW 1h")) {
      assertThat(client.say("BF.RESERVE r 0.01 100 EX 60 " + other))
          .startsWith("-ERR EX and PX give each item an expiry");
    }
  }

  @Test
  void replies_and_errors_are_those_of_redisbloom() throws IOException {
    says("BF.RESERVE f 0.001 1000", "+OK");
    says("BF.RESERVE f 0.001 1000", "-ERR item exists");
    says("BF.ADD f a", ":1");
    says("BF.ADD f a", ":0");
    says("BF.MADD f a b c b", "[:0, :1, :1, :0]");
    says("BF.EXISTS f a", ":1");
    says("BF.EXISTS f z", ":0");
    says("BF.EXISTS none z", ":0");
    says("BF.MEXISTS f a z", "[:1, :0]");
    says("BF.MEXISTS none a z", "[:0, :0]");
    says("BF.CARD f", ":3");
    says("BF.CARD none", ":0");
    says("BF.INFO none", "-ERR not found");
    says("BF.INFO f CAPACITY", "[:1000]");
    says("BF.INFO f ITEMS", "[:3]");
    says("BF.INFO f FILTERS", "[:1]");
    says("BF.INFO f EXPANSION", "[:2]");
    says("BF.INFO f NONSENSE", "-ERR Invalid information value");
    assertThat(client.say("BF.INFO f"))
        .startsWith("[+Capacity, :1000, +Size, :")
        .contains(
            "+Number of filters, :1, +Number of items inserted, :3, +Expansion rate, :2, +Kind, 'recency'");
    says("BF.RESERVE g x 1000", "-ERR bad error rate");
    says("BF.RESERVE g 1 1000", "-ERR (0 < error rate range < 1)");
    says("BF.RESERVE g 0.1 x", "-ERR bad capacity");
    says("BF.RESERVE g 0.1 0", "-ERR (capacity should be larger than 0)");
    says("BF.RESERVE g 0.1 10 EXPANSION", "-ERR no expansion");
    says("BF.RESERVE g 0.1 10 EXPANSION x", "-ERR bad expansion");
    says("BF.RESERVE g 0.1 10 NONSCALING EXPANSION 2", "-Nonscaling filters cannot expand");
    for (String line :
        List.of("BF.RESERVE g 0.1 10 EXPANSION 4", "BF.INSERT g EXPANSION 2 ITEMS a")) {
      assertThat(client.say(line))
          .matches("-ERR EXPANSION [24] is not offered: a filter keeps its size.*");
    }
    says("BF.RESERVE g 0.1 10", "+OK");
    says("BF.RESERVE never 0.1 10 EXPANSION 0", "+OK");
    says("BF.INFO never EXPANSION", "[nil]");
    says("TYPE g", "+MBbloom--");
  }

  @Test
  void inserts_create_filters_without_nocreate() throws IOException {
    says("BF.INSERT f NOCREATE ITEMS a", "-ERR not found");
    says("BF.INSERT f CAPACITY 500 ERROR 0.01 ITEMS a b a", "[:1, :1, :0]");
    says("BF.INFO f CAPACITY", "[:500]");
    says("BF.INSERT f ITEMS a c", "[:0, :1]");
    says("BF.INSERT f ITEMS", "-ERR wrong number of arguments for 'bf.insert' command");
    says("BF.INSERT g CAPACITY x ITEMS a", "-Bad capacity");
    says("BF.INSERT g ERROR x ITEMS a", "-Bad error rate");
    says("BF.INSERT g EXPANSION x ITEMS a", "-Bad expansion");
    says("BF.INSERT g ERROR 2 ITEMS a", "-Bad argument received");
    says("BF.INSERT g NONSENSE ITEMS a", "-Unknown argument received");
    says("BF.INSERT g WINDOW 1h MEMORY 64kb ITEMS a", "[:1]");
    assertThat(client.say("BF.INFO g")).contains("+Window, '1h'");
  }

  @Test
  void a_full_nonscaling_filter_rejects_items_and_forgets_nothing() throws IOException {
    says("BF.RESERVE f 0.0001 100 NONSCALING", "+OK");
    says("BF.INFO f EXPANSION", "[nil]");
    for (int i = 0; i < 99; i++) {
      says("BF.ADD f item" + i, ":1");
    }
    says("BF.MADD f item0 last toomany another", "[:0, :1, -ERR non scaling filter is full]");
    says("BF.ADD f more", "-ERR non scaling filter is full");
    says("BF.ADD f item50", ":0");
    says("BF.CARD f", ":100");
    assertThat(client.say("BF.RESERVE g 0.1 10 NONSCALING WINDOW 1h"))
        .startsWith("-ERR NONSCALING means that nothing is evicted");
  }

  /** Shards and an audit of a fixed size took as much again. */
  @Test
  void a_million_items_take_two_and_a_half_megabytes_in_all_and_none_is_evicted()
      throws IOException {
    says("BF.RESERVE f 0.001 1000000", "+OK");
    String size = client.say("BF.INFO f SIZE").replaceAll("[^0-9]", "");
    assertThat(Long.parseLong(size)).isBetween(2_400_000L, 2_500_000L);
    assertThat(client.ask("INFO", "memory")).contains("used_memory:" + size + "\r\n");
    assertThat(client.say("UN.REPORT f")).contains("audited_keys_one_in");
    long added = 0;
    for (int i = 0; i < 1000; i++) {
      List<String> words = new ArrayList<>(List.of("BF.MADD", "f"));
      for (int j = 0; j < 1000; j++) {
        words.add("item" + (i * 1000 + j));
      }
      added += client.ask(words.toArray(String[]::new)).replaceAll("[^1]", "").length();
    }
    assertThat(added).isGreaterThan(998_500); // at most 1 in 1000 is mistaken for another
    String evicted =
        client.say("BF.INFO f").replaceAll("(?s).*items evicted early, :(\\d+).*", "$1");
    assertThat(Long.parseLong(evicted)).isLessThanOrEqualTo(50);
    says("BF.INFO f CAPACITY", "[:1000000]");
  }

  @Test
  void memory_never_grows_and_evicted_items_are_counted() throws IOException {
    says("BF.RESERVE f 0.001 1000", "+OK");
    String size = client.say("BF.INFO f SIZE");
    for (int i = 0; i < 200; i++) {
      List<String> words = new ArrayList<>(List.of("BF.MADD", "f"));
      for (int j = 0; j < 100; j++) {
        words.add("item" + (i * 100 + j));
      }
      client.ask(words.toArray(String[]::new));
    }
    says("BF.INFO f SIZE", size);
    assertThat(client.say("BF.INFO f"))
        .containsPattern("Number of items evicted early, :1[5-9]\\d\\d\\d");
  }

  /** Commands of several kinds and keys, in one write: each reply belongs to its request. */
  @Test
  void a_pipeline_is_answered_in_its_order() throws IOException {
    Random random = new Random(1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    says("BF.RESERVE p0 0.000001 100000", "+OK");
    says("BF.RESERVE p1 0.000001 100000", "+OK");
    says("BF.RESERVE p2 0.000001 100000 NONSCALING", "+OK");
    for (int i = 0; i < 20_000; i++) {
      String key = "p" + (random.nextInt(40) == 0 ? 1 + random.nextInt(2) : 0);
      String item = "i" + random.nextInt(5000);
      switch (random.nextInt(30)) {
        case 0 -> {
          bytes.writeBytes(RawClient.request("ECHO", item));
          expected.add("'" + item + "'");
        }
        case 1 -> {
          bytes.writeBytes(RawClient.request("BF.EXISTS", key, item));
          expected.add(seen.contains(key + item) ? ":1" : ":0");
        }
        case 2, 3 -> {
          bytes.writeBytes(RawClient.request("SET", item, "1", "NX", "EX", "3600"));
          expected.add(seen.add("set" + item) ? "+OK" : "nil");
        }
        default -> {
          bytes.writeBytes(RawClient.request("BF.ADD", key, item));
          expected.add(seen.add(key + item) ? ":1" : ":0");
        }
      }
    }
    Thread writer = new Thread(() -> send(bytes.toByteArray()));
    writer.start();
    List<String> replies = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      replies.add(client.reply());
    }
    // 20,000 new items at an error rate of one in a million, and 600 at one in 10,000: the odds of
    // an error are below 8 in 100; the secret is random, so one is allowed.
    int errors = 0;
    for (int i = 0; i < expected.size(); i++) {
      errors += expected.get(i).equals(replies.get(i)) ? 0 : 1;
    }
    assertThat(errors).isLessThanOrEqualTo(1);
  }

  private void send(byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_window_forgets() throws IOException {
    says("BF.RESERVE d 0.001 1000 WINDOW 1s", "+OK");
    says("BF.ADD d a", ":1");
    says("BF.ADD d a", ":0");
    server.pass(1100);
    says("BF.EXISTS d a", ":0");
    says("BF.ADD d a", ":1");
    assertThat(client.say("BF.RESERVE e 0.1 10 WINDOW 10M")).contains("must be a time here");
    assertThat(client.say("BF.RESERVE e 0.1 10 WINDOW x")).contains("'x' must be a time here");
    assertThat(client.say("BF.RESERVE e 0.1 10 KIND nope")).startsWith("-ERR ");
    says("BF.RESERVE e 0.1 10 KIND rlbsbf MEMORY 64kb", "+OK");
    assertThat(client.say("BF.INFO e")).contains("+Kind, 'rlbsbf'");
  }

  @Test
  void memory_beyond_the_limit_is_rejected_with_the_figures() throws IOException {
    assertThat(client.say("BF.RESERVE big 0.001 1000 MEMORY 100mb"))
        .startsWith("-OOM filter 'big' needs ")
        .contains("--max-memory");
    says("BF.RESERVE big 0.001 1000 MEMORY 40mb", "+OK");
    assertThat(client.say("BF.RESERVE more 0.001 1000 MEMORY 40mb")).startsWith("-OOM ");
    says("DEL big", ":1");
    says("BF.RESERVE more 0.001 1000 MEMORY 40mb", "+OK");
  }

  @Test
  void a_filter_that_never_forgets_takes_no_more_than_its_capacity_by_any_way() throws IOException {
    says("BF.RESERVE n 0.001 3 NONSCALING", "+OK");
    says("BF.MADD n a b", "[:1, :1]");
    assertThat(client.say("UN.RESERVE n c"))
        .startsWith("-ERR this filter was created with NONSCALING");
    says("BF.RESERVE m 0.001 3 NONSCALING", "+OK");
    says("BF.MADD m c d", "[:1, :1]");
    assertThat(client.say("UN.MERGE n m"))
        .startsWith("-ERR both filters together hold up to 4 items, more than the capacity");
    says("BF.CARD n", ":2");
  }

  @Test
  void duplicates_of_a_filter_that_never_forgets_are_counted() throws IOException {
    says("BF.RESERVE n 0.001 3 NONSCALING", "+OK");
    says("BF.MADD n a b a a", "[:1, :1, :0, :0]");
    assertThat(client.say("BF.INFO n")).contains("+Number of duplicates, :2");
    says("BF.CARD n", ":2");
  }
}
