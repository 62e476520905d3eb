package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup of a server under load holds all that was acknowledged before it. */
class BackupTest {
  private static final int BACKUPS = 4;

  @TempDir Path root;

  private TestServer start(Path directory, String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("--dir", directory.toString()));
    args.addAll(List.of(more));
    return new TestServer(args.toArray(String[]::new));
  }

  /** Adds items until it is stopped, and counts those that were acknowledged. */
  private static void add(TestServer server, AtomicInteger done, AtomicBoolean stop) {
    try (RawClient client = server.client()) {
      for (int i = 0; !stop.get(); i++) {
        assertThat(client.say("BF.ADD f item" + i)).isEqualTo(":1");
        assertThat(client.say("SET key" + i + " 1 NX EX 86400")).isEqualTo("+OK");
        done.set(i + 1);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_backup_under_load_holds_all_that_was_acknowledged() throws Exception {
    AtomicInteger done = new AtomicInteger();
    AtomicBoolean stop = new AtomicBoolean();
    List<Integer> acknowledged = new ArrayList<>();
    Path backups = root.resolve("backups");
    try (TestServer server =
            start(root.resolve("data"), "--backup-dir", backups.toString(), "--max-journal", "4K");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.000001 10000000")).isEqualTo("+OK");
      Thread load = new Thread(() -> add(server, done, stop));
      load.start();
      for (int i = 0; i < BACKUPS; i++) {
        int enough = done.get() + 50;
        Patience.await("some items").until(() -> done.get() >= enough);
        acknowledged.add(done.get());
        assertThat(client.say("BACKUP b" + i)).isEqualTo("+OK");
      }
      stop.set(true);
      load.join();
    }
    for (int i = 0; i < BACKUPS; i++) {
      try (TestServer restored = start(backups.resolve("b" + i));
          RawClient client = restored.client()) {
        for (int item = 0; item < acknowledged.get(i); item++) {
          assertThat(client.say("BF.EXISTS f item" + item)).as("item %d", item).isEqualTo(":1");
          assertThat(client.say("EXISTS key" + item)).as("key %d", item).isEqualTo(":1");
        }
        assertThat(client.say("INFO persistence"))
            .contains("load_damaged_files:0\r\n", "load_damaged_bytes:0\r\n");
      }
    }
  }

  @Test
  void a_backup_needs_a_place_and_a_new_plain_name() throws IOException {
    Path backups = root.resolve("backups");
    try (TestServer server = start(root.resolve("data"));
        RawClient client = server.client()) {
      assertThat(client.say("BACKUP b")).endsWith("start it with --backup-dir DIRECTORY");
    }
    try (TestServer server = start(root.resolve("data"), "--backup-dir", backups.toString());
        RawClient client = server.client()) {
      for (String name : List.of("../b", "/tmp/b", "a/b", ".b", "", "x".repeat(101))) {
        assertThat(client.ask("BACKUP", name)).as(name).startsWith("-ERR the name of a backup");
      }
      assertThat(client.say("BACKUP b")).isEqualTo("+OK");
      assertThat(client.say("BACKUP b"))
          .isEqualTo("-ERR the backup 'b' exists; choose another name");
      try (Stream<Path> files = Files.list(backups)) {
        assertThat(files).containsExactly(backups.resolve("b"));
      }
    }
  }
}
