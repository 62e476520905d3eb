package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.hash.Secret;
import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many keys of SET fit into the memory, and that early evictions are reported. */
class SetMemoryTest {
  private static final int MEMORY = 1 << 20;
  private static final long HOUR = 3_600_000;

  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
  private final Keyspace keyspace =
      new Keyspace(
          Secret.parse("000102030405060708090a0b0c0d0e0f"),
          new MemoryBudget(1 << 26, 0),
          StoreLimits.of(10, MEMORY),
          () -> Instant.ofEpochMilli(now.get()));

  private int set(int from, int to) {
    int fresh = 0;
    long[] keys = new long[512];
    long[] answers = new long[8];
    for (int at = from; at < to; at += keys.length) {
      int count = Math.min(keys.length, to - at);
      for (int i = 0; i < count; i++) {
        keys[i] = Mix.mix(at + i + 1);
      }
      keyspace.setKeys().setAll(Items.of(Arrays.copyOf(keys, count)), HOUR, answers);
      for (int i = 0; i < (count + 63) / 64; i++) {
        fresh += Long.bitCount(answers[i]);
      }
    }
    return fresh;
  }

  /** The shares of docs/sizing.md while a filter fills, to a third of them. */
  @ParameterizedTest
  @CsvSource({"2.5,0.064", "2.7,0.0116", "2.8,0.0023", "2.9,0.00024", "3.1,0"})
  void so_many_keys_are_evicted_early_in_so_much_memory(double bytesPerKey, double share) {
    int keys = (int) (MEMORY / bytesPerKey);
    assertThat(set(0, keys)).isGreaterThan((int) (keys * 0.999));
    ServedFilter filter = keyspace.setKeys().find("SET EX 1h");
    double evicted = (double) filter.evictedEarly() / keys;
    assertThat(evicted).isBetween(share / 1.5 - 0.00005, share * 1.5 + 0.00005);
  }

  @Test
  void keys_that_fit_and_keys_that_have_expired_are_not_evicted_early() {
    set(0, 1);
    ServedFilter filter = keyspace.setKeys().find("SET EX 1h");
    int fit = (int) filter.definition().keysThatFit(filter.report());
    assertThat(fit).isBetween(330_000, 345_000);
    for (int round = 0; round < 3; round++) {
      set(round * fit, (round + 1) * fit);
      assertThat(filter.evictedEarly()).isLessThan((round + 1) * fit / 5_000);
      now.addAndGet(2 * HOUR); // all have expired
    }
  }

  /** New keys come while old ones expire: the promise of {@code keys_that_fit}. */
  @Test
  void a_steady_stream_of_the_keys_that_fit_loses_one_in_twenty_thousand_at_most() {
    set(0, 1);
    ServedFilter filter = keyspace.setKeys().find("SET EX 1h");
    int fit = (int) filter.definition().keysThatFit(filter.report());
    int parts = 64; // of a window
    int part = fit / parts;
    long filling = 0;
    for (int i = 0; i < 6 * parts; i++) {
      set(1 + i * part, 1 + (i + 1) * part);
      now.addAndGet(filter.definition().window().length() / parts);
      filling = i == 2 * parts ? filter.evictedEarly() : filling;
    }
    assertThat(filter.evictedEarly() - filling).isLessThanOrEqualTo(4L * fit / 20_000);
  }

  /** A server that would go on with the former filter could never be given more. */
  @Test
  void more_memory_serves_new_keys_at_once_and_old_ones_are_not_forgotten(@TempDir Path directory)
      throws Exception {
    String dir = directory.resolve("data").toString();
    try (TestServer server = new TestServer("--dir", dir, "--set-memory", "1M");
        RawClient client = server.client()) {
      assertThat(client.say("SET old 1 NX EX 3600")).isEqualTo("+OK");
      assertThat(client.say("SET deleted 1 NX EX 3600")).isEqualTo("+OK");
    }
    for (int restart = 0; restart < 2; restart++) { // the second with both filters in the directory
      try (TestServer server = new TestServer("--dir", dir, "--set-memory", "2M");
          RawClient client = server.client()) {
        assertThat(client.say("SET old 1 NX EX 3600")).isEqualTo("nil");
        assertThat(client.say("SET new" + restart + " 1 NX EX 3600")).isEqualTo("+OK");
        assertThat(client.say("SET new0 1 NX EX 3600")).isEqualTo("nil");
        assertThat(client.say("INFO set"))
            .contains("set_ex_1h:keys=" + (restart + 1) + ",memory=2097152,");
        assertThat(client.ask("BF.INFO", "SET EX 1h"))
            .contains("+Number of filters, :2")
            .contains("1 MiB with former options in use, too, for another ");
      }
    }
    try (TestServer server = new TestServer("--dir", dir, "--set-memory", "2M");
        RawClient client = server.client()) {
      assertThat(client.say("DEL deleted")).isEqualTo(":1");
      assertThat(client.say("SET deleted 1 NX EX 3600")).isEqualTo("+OK");
      assertThat(client.say("SET deleted 1 NX EX 3600")).isEqualTo("nil");
      server.pass(HOUR * 8 / 7 + 2000);
      Patience.await("the end of the old filter")
          .until(() -> client.ask("BF.INFO", "SET EX 1h").contains("+Number of filters, :1"));
      assertThat(client.say("SET old 1 NX EX 3600")).isEqualTo("+OK");
    }
    try (TestServer server = new TestServer("--dir", dir, "--set-memory", "2M");
        RawClient client = server.client()) {
      assertThat(client.ask("BF.INFO", "SET EX 1h")).contains("'none'");
    }
  }

  @Test
  void without_room_for_both_the_filter_keeps_its_memory() {
    FilterDefinition definition = FilterDefinition.forSet(HOUR, 65_500_000);
    ServedFilter filter = keyspace.recreate(1, "SET EX 1h", definition, keyspace.secret());
    assertThat(set(0, 10)).isEqualTo(10);
    keyspace.setKeys().resize();
    assertThat(set(0, 10)).isZero();
    assertThat(keyspace.setKeys().filters()).containsExactly(filter);
    assertThat(filter.definition()).isEqualTo(definition);
  }

  @Test
  void a_clock_that_goes_ahead_and_back_forgets_nothing_twice() {
    assertThat(set(0, 10)).isEqualTo(10);
    now.addAndGet(2 * HOUR);
    keyspace.setKeys().contains(new Item(1)); // time is read
    now.addAndGet(-2 * HOUR);
    keyspace.dropExpired();
    assertThat(keyspace.setKeys().filters()).hasSize(1);
    set(100, 110);
    keyspace.dropExpired();
    assertThat(set(100, 110)).isZero();
  }

  /** As a person, or a former version, has put it there. */
  @Test
  void a_file_of_another_name_is_kept_until_it_is_saved_under_its_own(@TempDir Path directory)
      throws Exception {
    Path data = directory.resolve("data");
    try (TestServer server = new TestServer("--dir", data.toString());
        RawClient client = server.client()) {
      assertThat(client.say("SET k 1 NX EX 3600")).isEqualTo("+OK");
    }
    Files.move(data.resolve("set-3600000.uns"), data.resolve("other.uns"));
    for (int restart = 0; restart < 2; restart++) {
      try (TestServer server = new TestServer("--dir", data.toString());
          RawClient client = server.client()) {
        assertThat(client.say("SET k 1 NX EX 3600")).isEqualTo("nil");
        assertThat(client.say("SAVE")).isEqualTo("+OK");
      }
    }
    assertThat(data.resolve("other.uns")).doesNotExist();
  }

  @Test
  void info_and_reports_count_keys_that_were_evicted_early() throws IOException {
    try (TestServer server = new TestServer("--set-memory", "64K");
        RawClient client = server.client()) {
      assertThat(client.say("SET k 1 NX EX 86400")).isEqualTo("+OK");
      assertThat(client.say("INFO set"))
          .contains("set_ex_24h:keys=1,memory=65536,keys_that_fit=")
          .contains("evicted_early=0,window_coverage=1.0000");
      for (int i = 0; i < 40_000; i++) {
        client.send(RawClient.request("SET", "k" + i, "1", "NX", "EX", "86400"));
        if (i % 100 == 99) {
          for (int reply = 0; reply < 100; reply++) {
            client.reply();
          }
        }
      }
      String info = client.say("INFO set");
      long early = Long.parseLong(info.replaceAll("(?s).*evicted_early=(\\d+).*", "$1"));
      assertThat(early).isGreaterThan(10_000);
      assertThat(client.ask("BF.INFO", "SET EX 24h"))
          .contains("+Number of items evicted early, :" + early);
      assertThat(client.ask("UN.REPORT", "SET EX 24h")).contains("'evicted_early', :" + early);
      assertThat(client.say("BF.INFO nothing")).isEqualTo("-ERR not found");
    }
  }
}
