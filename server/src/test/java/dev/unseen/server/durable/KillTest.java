package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.ServerProcess;
import dev.unseen.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a server under load, as kill -9 does, and asks the next one for all that was answered. */
class KillTest {
  private static final int PIPELINE = 64;
  private static final int ENOUGH = 1000;

  @TempDir Path directory;

  /** Adds items until the server dies. Returns the number of those that were acknowledged. */
  private static int load(RawClient client, int from, CountDownLatch enough) {
    int acknowledged = from;
    try {
      while (true) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < PIPELINE; i++) {
          int item = acknowledged + i;
          requests.writeBytes(
              item % 2 == 0
                  ? RawClient.request("BF.ADD", "clicks", "item" + item)
                  : RawClient.request("SET", "event" + item, "1", "NX", "EX", "3600"));
        }
        client.send(requests.toByteArray());
        for (int i = 0; i < PIPELINE; i++) {
          client.reply();
          acknowledged++;
        }
        if (acknowledged - from > ENOUGH) {
          enough.countDown();
        }
      }
    } catch (IOException e) {
      return acknowledged;
    }
  }

  /** Returns the items of those that are not known any more. */
  private static List<String> lost(RawClient client, int count) throws IOException {
    List<String> lost = new ArrayList<>();
    for (int from = 0; from < count; from += 1000) {
      int to = Math.min(count, from + 1000);
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      for (int item = from; item < to; item++) {
        requests.writeBytes(
            item % 2 == 0
                ? RawClient.request("BF.EXISTS", "clicks", "item" + item)
                : RawClient.request("EXISTS", "event" + item));
      }
      client.send(requests.toByteArray());
      for (int item = from; item < to; item++) {
        if (!client.reply().equals(":1")) {
          lost.add("item" + item);
        }
      }
    }
    return lost;
  }

  /**
   * With saves each second, so that kills fall before, within and after them. A process that is
   * killed has written all that it has acknowledged, whatever is forced; what a power failure would
   * lose cannot be tested here.
   */
  @ParameterizedTest
  @ValueSource(strings = {"everysec", "always", "never"})
  void nothing_that_was_acknowledged_is_admitted_again(String fsync) throws Exception {
    String[] args = {"--fsync", fsync, "--save-every", "1s", "--set-memory", "4M"};
    int acknowledged = 0;
    int kills = fsync.equals("everysec") ? 3 : 1;
    for (int kill = 0; kill < kills; kill++) {
      try (ServerProcess server = new ServerProcess(directory, args);
          RawClient client = server.client()) {
        if (kill == 0) {
          assertThat(client.say("BF.RESERVE clicks 0.0001 2000000")).isEqualTo("+OK");
        }
        assertThat(lost(client, acknowledged)).isEmpty();
        CountDownLatch enough = new CountDownLatch(1);
        Thread killer = new Thread(() -> killAfter(server, 1200, enough));
        killer.start();
        acknowledged = load(client, acknowledged, enough);
        killer.join();
      }
    }
    assertThat(acknowledged).isGreaterThan(ENOUGH);
    try (ServerProcess server = new ServerProcess(directory, args);
        RawClient client = server.client()) {
      assertThat(lost(client, acknowledged)).isEmpty();
      assertThat(client.say("BF.ADD clicks item0")).isEqualTo(":0");
      assertThat(client.say("SET event1 1 NX EX 3600")).isEqualTo("nil");
    }
  }

  /** Kills the server after a while, and not before enough items were acknowledged. */
  private static void killAfter(ServerProcess server, long millis, CountDownLatch enough) {
    try {
      Thread.sleep(millis);
      enough.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      server.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void term_saves_and_leaves_an_empty_journal() throws Exception {
    try (ServerProcess server = new ServerProcess(directory);
        RawClient client = server.client()) {
      assertThat(client.say("BF.MADD clicks a b")).isEqualTo("[:1, :1]");
      assertThat(client.say("SET k 1 NX EX 100")).isEqualTo("+OK");
      assertThat(server.end()).isIn(0, 143);
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("key-clicks.uns", "set-120000.uns", "secret");
    }
    try (ServerProcess server = new ServerProcess(directory);
        RawClient client = server.client()) {
      assertThat(server.startupMessages().toString())
          .contains("loaded 2 filters")
          .contains("replayed 0 items");
      assertThat(client.say("BF.MADD clicks a c")).isEqualTo("[:0, :1]");
      assertThat(client.say("SET k 1 NX EX 100")).isEqualTo("nil");
    }
  }
}
