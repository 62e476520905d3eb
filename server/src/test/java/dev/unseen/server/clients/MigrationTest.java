package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.FreePort;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the migration of docs/server.md from a real Redis, as the document has it. */
class MigrationTest {
  /** Counts the wrong answers of each step; keys below 100 are in Redis only when it begins. */
  private static final List<String> STEPS =
      List.of(
          "E = 86400",
          "for i in range(100): old.set(f'k{i}', 1, nx=True, ex=E)",
          "def wrong(mode, known, until):",
          "    return sum(is_new(f'k{i}', E, mode) != (i >= known) for i in range(until))",
          "print(wrong('shadow', 100, 200), wrong('shadow', 200, 200))",
          "old.set('only-old', 1, nx=True, ex=E)", // a client stopped between its two writes
          "new.set('only-new', 1, nx=True, ex=E)",
          "print(wrong('both', 200, 300), wrong('both', 300, 300))",
          "print(is_new('only-old', E, 'both'), is_new('only-new', E, 'both'))",
          "print(is_new('only-old', E, 'new'))",
          "old.shutdown(nosave=True)",
          "print(wrong('new', 300, 400), wrong('new', 400, 400))");

  @TempDir Path directory;

  @Test
  void no_duplicate_passes_and_no_new_key_is_lost_in_any_step() throws Exception {
    assumeTrue(
        Programs.works(Path.of("."), "redis-server", "--version"),
        "redis-server (Debian: redis-server) is not installed");
    String python = Programs.anyPython();
    assumeTrue(python != null, "redis-py is not here and cannot be fetched");
    int port = FreePort.find();
    Process redis =
        new ProcessBuilder("redis-server", "--port", Integer.toString(port), "--save", "")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (TestServer server = new TestServer("--set-memory", "4M")) {
      Patience.await("redis-server").until(() -> answers(port));
      Path script = directory.resolve("migrate.py");
      Files.writeString(
          script,
          recipe()
              .replace("6379", Integer.toString(port))
              .replace("7379", Integer.toString(server.port())),
          UTF_8);
      assertThat(Programs.run(Programs.HOME, python, script.toString()))
          .isEqualTo("0: 0 0\n0 0\nFalse False\nFalse\n0 0");
    } finally {
      redis.destroyForcibly().waitFor();
    }
  }

  /** Returns the block of the document that has the function, and the steps. */
  private static String recipe() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "server.md"), UTF_8);
    int begin = document.indexOf("```python", document.indexOf("## Migrating from Redis")) + 10;
    return document.substring(begin, document.indexOf("```", begin))
        + "\n"
        + String.join("\n", STEPS)
        + "\n";
  }

  private static boolean answers(int port) {
    try (RawClient client = new RawClient(port)) {
      return client.say("PING").equals("+PONG");
    } catch (IOException e) { // it does not listen yet
      return false;
    }
  }
}
