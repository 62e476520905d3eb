package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A newer version reads the directories of each released one, of which one is kept here. It is
 * written with {@code -Dfixtures.write=true} if it does not exist, and never again.
 */
class UpgradeTest {
  private static final Path KEPT =
      Path.of("src/test/resources/dev/unseen/server/durable/directory-v1");
  private static final long WRITTEN_AT = 1_790_000_000_000L;

  /** Replies of a server that continues from the directory that was kept. */
  private static final List<String> REPLIES =
      List.of(
          "BF.MEXISTS saved a b c d e: [:1, :1, :1, :1, :0]",
          "BF.MEXISTS windowed a b: [:1, :0]",
          "BF.MADD full a b c: [:0, :0, -ERR non scaling filter is full]",
          "EXISTS dropped: :0",
          "PTTL full: :1000000000",
          "EXISTS key: :1",
          "EXISTS gone: :0",
          "SET gone 1 NX EX 3600: +OK",
          "SET key 1 NX EX 3600: nil");

  @TempDir Path root;

  /** Has everything that a journal records, and saved filters. */
  private static void write(Path directory) throws IOException {
    String[] args = {"--dir", directory.toString(), "--set-memory", "64K", "--memory", "64K"};
    try (TestServer server = new TestServer(WRITTEN_AT, args);
        RawClient client = server.client()) {
      says(
          client,
          "BF.RESERVE saved 0.001 100",
          "BF.MADD saved a b",
          "BF.RESERVE full 0.001 2 NONSCALING");
      says(client, "SAVE", "SHUTDOWN NOSAVE");
    }
    try (TestServer server = new TestServer(WRITTEN_AT, args);
        RawClient client = server.client()) {
      says(client, "BF.ADD saved c", "BF.MADD full a b", "PEXPIRE full 1000000000");
      says(client, "BF.RESIZE saved CAPACITY 200", "BF.MADD saved a d");
      says(client, "BF.RESERVE windowed 0.001 100 WINDOW 24h", "BF.ADD windowed a");
      says(client, "BF.RESERVE dropped 0.001 100", "BF.ADD dropped a", "DEL dropped");
      says(client, "SET key 1 NX EX 3600", "SET gone 1 NX EX 3600", "DEL gone");
      says(client, "SHUTDOWN NOSAVE");
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path lock : files.filter(file -> file.toString().endsWith("lock")).toList()) {
        Files.delete(lock);
      }
    }
  }

  private static void says(RawClient client, String... lines) throws IOException {
    for (String line : lines) {
      if (line.startsWith("SHUTDOWN")) {
        client.send(RawClient.request(line.split(" ", -1)));
        assertThat(client.isClosed()).isTrue();
      } else {
        assertThat(client.say(line)).as(line).doesNotStartWith("-");
      }
    }
  }

  private static void copy(Path from, Path to, String suffix) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(one -> one.toString().endsWith(suffix)).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void the_directory_of_each_released_version_is_read() throws IOException {
    if (Boolean.getBoolean("fixtures.write") && !Files.exists(KEPT)) {
      write(KEPT);
    }
    Path directory = root.resolve("data");
    copy(KEPT, directory, "");
    try (TestServer server = new TestServer(WRITTEN_AT, "--dir", directory.toString());
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString()).doesNotContain("damaged", "lost");
      for (String reply : REPLIES) {
        String[] parts = reply.split(": ", 2);
        assertThat(client.say(parts[0])).as(parts[0]).isEqualTo(parts[1]);
      }
    }
  }

  /** What docs/server.md says to do for a downgrade. */
  @Test
  void the_saved_filters_without_the_journal_are_enough_for_a_downgrade() throws IOException {
    Path newer = root.resolve("newer");
    Path older = root.resolve("older");
    try (TestServer server = new TestServer("--dir", newer.toString());
        RawClient client = server.client()) {
      says(client, "BF.RESERVE f 0.00001 1000", "BF.MADD f a b c", "SET key 1 NX EX 3600");
    }
    copy(newer, older, ".uns");
    copy(newer, older, "secret");
    assertThatThrownBy(() -> new TestServer("--dir", older.toString()).close())
        .hasMessageContaining(".log is missing");
    try (TestServer server = new TestServer("--dir", older.toString(), "--accept-data-loss");
        RawClient client = server.client()) {
      assertThat(client.say("BF.MEXISTS f a b c d")).isEqualTo("[:1, :1, :1, :0]");
      assertThat(client.say("SET key 1 NX EX 3600")).isEqualTo("nil");
      assertThat(client.say("SET other 1 NX EX 3600")).isEqualTo("+OK");
    }
    try (TestServer server = new TestServer("--dir", older.toString());
        RawClient client = server.client()) {
      assertThat(client.say("BF.MEXISTS f a b c d")).isEqualTo("[:1, :1, :1, :0]");
      assertThat(client.say("SET other 1 NX EX 3600")).isEqualTo("nil");
    }
  }
}
