package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that is really full: a file system of three megabytes. */
class FullDiskTest {
  @TempDir Path root;

  @BeforeEach
  void mount() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", root.toString()) == 0,
        "only a user who may mount a small file system can run this");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", root.toString());
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static String ready(TestServer server) throws IOException, InterruptedException {
    int port = server.server().httpPort().orElseThrow();
    HttpResponse<String> reply =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build(),
                BodyHandlers.ofString());
    return reply.statusCode() + " " + reply.body().strip();
  }

  @ParameterizedTest
  @EnumSource(Fsync.class)
  void writes_are_rejected_while_the_disk_is_full_and_nothing_acknowledged_is_lost(Fsync fsync)
      throws Exception {
    int disconnected = 0;
    Path data = root.resolve("data");
    Path ballast = root.resolve("ballast");
    int acknowledged = 0;
    try (TestServer server =
            new TestServer(
                "--dir",
                data.toString(),
                "--http",
                "0",
                "--save-every",
                "1h",
                "--fsync",
                fsync.id());
        RawClient client = server.client();
        RawClient transaction = server.client()) {
      client.say("BF.RESERVE f 0.0001 20000");
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      transaction.say("MULTI");
      assertThat(transaction.say("BF.ADD f queued")).isEqualTo("+QUEUED");
      Files.write(ballast, new byte[2_900_000 - (int) used(data)]);
      String rejected = "";
      for (int connections = 0; connections < 10 && rejected.isEmpty(); connections++) {
        try (RawClient next = server.client()) {
          while (rejected.isEmpty()) {
            String reply = next.ask("BF.ADD", "f", "item" + (acknowledged + disconnected));
            rejected = reply.startsWith("-") ? reply : "";
            acknowledged += rejected.isEmpty() ? 1 : 0;
          }
        } catch (IOException e) { // its item is not on the disk, so it must not take it for safe
          disconnected++;
        }
      }
      assertThat(disconnected).isEqualTo(fsync == Fsync.ALWAYS ? 1 : 0);
      assertThat(rejected)
          .startsWith("-MISCONF writes are disabled: the journal cannot be written");
      assertThat(rejected).contains("No space left on device").contains("free space on the disk");
      assertThat(ready(server)).startsWith("503 the journal cannot be written: ");
      assertThat(client.say("SAVE")).contains("No space left on device");
      assertThat(client.say("FLUSHALL")).startsWith("-MISCONF ");
      assertThat(transaction.say("EXEC"))
          .startsWith("-EXECABORT Transaction discarded because of: MISCONF writes are disabled");
      assertThat(client.say("BF.EXISTS f queued")).isEqualTo(":0");
      assertThat(client.say("BGSAVE")).startsWith("+");
      assertThat(client.say("BF.EXISTS f item0")).as("questions are answered").isEqualTo(":1");
      Files.delete(ballast);
      Patience.await("room on the disk").until(() -> client.say("BF.ADD f late").equals(":1"));
      assertThat(client.say("BF.EXISTS f late")).isEqualTo(":1");
      assertThat(client.say("SAVE")).as("a save that failed is in no other's way").isEqualTo("+OK");
      assertThat(ready(server)).isEqualTo("200 ok");
      client.send(RawClient.request("SHUTDOWN", "NOSAVE"));
      assertThat(client.isClosed()).isTrue();
    }
    try (TestServer server = new TestServer("--dir", data.toString());
        RawClient client = server.client()) {
      for (int i = 0; i < acknowledged; i++) {
        assertThat(client.say("BF.EXISTS f item" + i)).as("item %d", i).isEqualTo(":1");
      }
      assertThat(client.say("BF.EXISTS f late")).isEqualTo(":1");
    }
  }

  private static long used(Path data) throws IOException {
    try (var files = Files.walk(data)) {
      return files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    }
  }
}
