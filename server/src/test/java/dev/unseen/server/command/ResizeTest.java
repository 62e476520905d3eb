package dev.unseen.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** BF.RESIZE changes the options of a filter and forgets no item. */
final class ResizeTest {
  @TempDir Path directory;

  private TestServer server() throws Exception {
    return new TestServer("--dir", directory.resolve("data").toString());
  }

  private static int added(RawClient client, String key, int from, int to) throws Exception {
    int fresh = 0;
    for (int i = from; i < to; i++) {
      fresh += client.say("BF.ADD %s item%d".formatted(key, i)).equals(":1") ? 1 : 0;
    }
    return fresh;
  }

  @Test
  void every_earlier_item_is_still_known() throws Exception {
    try (TestServer server = server();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE clicks 0.000000001 1000")).isEqualTo("+OK");
      assertThat(added(client, "clicks", 0, 1000)).isEqualTo(1000);
      assertThat(client.say("BF.RESIZE clicks MEMORY 6mb")).isEqualTo("+OK");
      assertThat(added(client, "clicks", 0, 1100)).isEqualTo(100);
      assertThat(client.say("BF.CARD clicks")).isEqualTo(":1100");
      assertThat(client.ask("BF.INFO", "clicks"))
          .contains("+Number of filters, :2")
          .contains("with former options in use, too, for 900 more new keys");
      assertThat(client.ask("BF.INFO", "clicks", "FILTERS")).contains(":2");
    }
    // The journal and then the file contain both filters.
    for (int restart = 0; restart < 2; restart++) {
      try (TestServer server = server();
          RawClient client = server.client()) {
        assertThat(added(client, "clicks", 0, 1100)).isZero();
        assertThat(client.ask("BF.INFO", "clicks")).contains("+Number of filters, :2");
        assertThat(client.say("SAVE")).isEqualTo("+OK");
      }
    }
    try (TestServer server = server();
        RawClient client = server.client()) {
      assertThat(added(client, "clicks", 1100, 2001)).isEqualTo(901);
      Patience.await("the end of the old filter")
          .until(() -> client.ask("BF.INFO", "clicks").contains("+Number of filters, :1"));
      assertThat(added(client, "clicks", 0, 2001)).as("all were seen since").isZero();
    }
  }

  @Test
  void windows_rates_and_capacities_change() throws Exception {
    try (TestServer server = server();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE w 0.001 1000 WINDOW 1h")).isEqualTo("+OK");
      assertThat(added(client, "w", 0, 500)).isBetween(495, 500);
      assertThat(client.say("BF.RESIZE w WINDOW 2h CAPACITY 5000 ERROR 0.000001")).isEqualTo("+OK");
      assertThat(added(client, "w", 0, 500)).isZero();
      assertThat(client.ask("BF.INFO", "w"))
          .contains("+Capacity, :5000", "+Window, '2h'", "+Error rate, '1.0E-6'");
      server.pass(9_000_000);
      assertThat(added(client, "w", 0, 500)).isBetween(495, 500);
      assertThat(client.say("BF.RESIZE w MEMORY 64kb")).isEqualTo("+OK");
      assertThat(added(client, "w", 0, 500)).isZero();
    }
  }

  @Test
  void full_filters_that_reject_items_get_room() throws Exception {
    try (TestServer server = server();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE n 0.000000001 10 NONSCALING")).isEqualTo("+OK");
      assertThat(added(client, "n", 0, 20)).isEqualTo(10);
      assertThat(client.say("BF.RESIZE n CAPACITY 100")).isEqualTo("+OK");
      assertThat(added(client, "n", 0, 200)).isEqualTo(90);
      assertThat(added(client, "n", 0, 10)).isZero();
    }
  }

  @Test
  void what_cannot_change_is_rejected() throws Exception {
    try (TestServer server = server();
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESIZE nothing MEMORY 1mb")).isEqualTo("-ERR not found");
      assertThat(client.say("BF.RESERVE k 0.001 1000")).isEqualTo("+OK");
      assertThat(client.say("BF.RESIZE k KIND bloom"))
          .startsWith("-ERR BF.RESIZE changes MEMORY, CAPACITY, ERROR and WINDOW");
      assertThat(client.say("BF.RESIZE k MEMORY")).contains("wrong number of arguments");
      assertThat(client.say("BF.RESIZE k MEMORY 1mb ERROR")).startsWith("-ERR syntax error");
      assertThat(client.say("BF.RESIZE k MEMORY 900gb")).contains("are free");
      assertThat(added(client, "k", 0, 100)).isBetween(98, 100);
      for (int i = 1; i <= 4; i++) {
        added(client, "k", 1000 * i, 1000 * i + 100 / (i * i * i)); // fewer than are left
        assertThat(client.say("BF.RESIZE k MEMORY " + i + "00kb")).isEqualTo("+OK");
      }
      assertThat(client.say("BF.RESIZE k MEMORY 500kb"))
          .startsWith("-ERR")
          .contains("must be at most 4; wait until the oldest of them ends");
      assertThat(added(client, "k", 0, 100)).isZero();
    }
  }

  @Test
  void items_are_added_meanwhile() throws Exception {
    try (TestServer server = server();
        RawClient client = server.client();
        RawClient other = server.client()) {
      assertThat(client.say("BF.RESERVE busy 0.000000001 100000")).isEqualTo("+OK");
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger count = new AtomicInteger();
      Thread adding =
          new Thread(
              () -> {
                try {
                  while (!done.get()) {
                    int i = count.get();
                    assertThat(added(other, "busy", i, i + 1)).isEqualTo(1);
                    // A replaced filter ends after as many new items as it held, which are 100.
                    int known = Math.max(0, i - 50);
                    assertThat(added(other, "busy", known, known + 1)).isZero();
                    count.incrementAndGet();
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      AtomicBoolean failed = new AtomicBoolean();
      adding.setUncaughtExceptionHandler((thread, e) -> failed.set(true));
      adding.start();
      for (String memory : new String[] {"1mb", "8mb", "2mb"}) {
        int before = count.get();
        Patience.await("some items").until(() -> failed.get() || count.get() > before + 100);
        assertThat(client.say("BF.RESIZE busy MEMORY " + memory)).isEqualTo("+OK");
      }
      done.set(true);
      adding.join();
      assertThat(failed).isFalse();
    }
  }
}
