package dev.unseen.server;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.options.ServeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server listens before its filters are loaded, and a standby waits for the directory. */
class StartupTest {
  private final HttpClient http = HttpClient.newHttpClient(); // keeps connections open
  @TempDir Path directory;

  private UnseenServer listen(String... more) throws IOException {
    String[] args = {
      "--port", "0", "--http", "0", "--dir", directory.toString(), "--set-memory", "1M"
    };
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return UnseenServer.listen(ServeOptions.parse(all));
  }

  private static CompletableFuture<Void> load(UnseenServer server) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            server.load();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private String get(UnseenServer server, String path) throws Exception {
    URI address = URI.create("http://localhost:" + server.httpPort().getAsInt() + path);
    HttpResponse<String> response =
        http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body().strip();
  }

  private void fill(String... lines) throws IOException {
    try (TestServer server = new TestServer("--dir", directory.toString());
        RawClient client = server.client()) {
      for (String line : lines) {
        assertThat(client.say(line)).isIn("+OK", ":1");
      }
    }
  }

  @Test
  void clients_get_loading_until_the_filters_are_loaded() throws Exception {
    fill("BF.ADD f a", "SET k 1 NX EX 600");
    try (UnseenServer server = listen();
        RawClient client = new RawClient(server.port());
        RawClient half = new RawClient(server.port())) {
      assertThat(client.say("PING")).isEqualTo("-LOADING starting");
      assertThat(client.say("BF.ADD f b")).startsWith("-LOADING ");
      assertThat(client.say("AUTH x")).startsWith("-LOADING ");
      half.send("*1\r\n$4\r\nPI".getBytes(US_ASCII));
      assertThat(get(server, "/healthz")).isEqualTo("200 ok");
      assertThat(get(server, "/readyz")).isEqualTo("503 starting");
      assertThat(get(server, "/metrics")).contains("unseen_server_loading 1");

      server.load();
      assertThat(get(server, "/readyz")).isEqualTo("200 ok");
      assertThat(get(server, "/metrics")).contains("unseen_server_loading 0");
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
      assertThat(client.say("BF.ADD f b")).isEqualTo(":1");
      assertThat(client.say("EXISTS k")).isEqualTo(":1");
      half.send("NG\r\n".getBytes(US_ASCII));
      assertThat(half.reply()).startsWith("-LOADING");
      assertThat(half.say("PING")).isEqualTo("+PONG");
    }
  }

  @Test
  void clients_that_only_wait_are_counted_after_the_load() throws Exception {
    try (UnseenServer server = listen();
        RawClient silent = new RawClient(server.port());
        RawClient client = new RawClient(server.port())) {
      assertThat(client.say("PING")).isEqualTo("-LOADING starting");
      server.load();
      await("both clients")
          .until(() -> client.say("INFO clients").contains("connected_clients:2\r\n"));
      assertThat(silent.say("PING")).isEqualTo("+PONG");
    }
  }

  @Test
  void a_standby_takes_over_when_the_other_server_ends() throws Exception {
    TestServer first = new TestServer("--dir", directory.toString());
    try (UnseenServer standby = listen("--standby");
        RawClient before = first.client();
        RawClient client = new RawClient(standby.port())) {
      assertThat(before.say("BF.ADD f a")).isEqualTo(":1");
      CompletableFuture<Void> loading = load(standby);
      await("the standby to wait")
          .until(() -> client.say("PING").startsWith("-LOADING standby: another server"));
      assertThat(get(standby, "/readyz")).startsWith("503 standby: ");
      assertThat(get(standby, "/healthz")).isEqualTo("200 ok");
      first.close();
      loading.join();
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
    }
  }

  @Test
  void a_standby_takes_over_what_a_killed_server_has_acknowledged() throws Exception {
    try (ServerProcess first = new ServerProcess(directory);
        UnseenServer standby = listen("--standby");
        RawClient before = first.client();
        RawClient client = new RawClient(standby.port())) {
      CompletableFuture<Void> loading = load(standby);
      assertThat(before.say("BF.ADD f a")).isEqualTo(":1");
      first.kill();
      loading.join();
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
    }
  }

  @Test
  void a_hang_up_reloads_the_users_of_a_process() throws Exception {
    assumeTrue(hearsHangUps(), "the signal HUP is ignored here, as under nohup");
    Path users = directory.resolveSibling(directory.getFileName() + "-users");
    Files.writeString(users, "default s3cret admin\n");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
    try (ServerProcess server = new ServerProcess(directory, "--auth-file", users.toString());
        RawClient client = server.client()) {
      assertThat(client.say("AUTH s3cret")).isEqualTo("+OK");
      Files.writeString(users, "default other admin\n");
      assertThat(new ProcessBuilder("kill", "-HUP", "" + server.pid()).start().waitFor()).isZero();
      assertThat(client.isClosed()).isTrue();
      try (RawClient again = server.client()) {
        assertThat(again.say("AUTH other")).isEqualTo("+OK");
      }
    } finally {
      Files.delete(users);
    }
  }

  /** A process that was started with the signal ignored, and all that it starts, never get it. */
  private static boolean hearsHangUps() throws IOException {
    Path status = Path.of("/proc/self/status");
    return !Files.exists(status)
        || Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .noneMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) != 0);
  }

  @Test
  void a_standby_can_be_shut_down() throws Exception {
    try (TestServer first = new TestServer("--dir", directory.toString());
        RawClient client = first.client()) {
      UnseenServer standby = listen("--standby");
      CompletableFuture<Void> loading = load(standby);
      standby.close();
      loading.join();
      assertThat(client.say("PING")).isEqualTo("+PONG");
    }
  }

  @Test
  void a_server_that_is_shut_down_while_it_loads_changes_nothing() throws Exception {
    fill("BF.ADD f a");
    UnseenServer server = listen();
    server.close();
    server.load();
    try (TestServer again = new TestServer("--dir", directory.toString());
        RawClient client = again.client()) {
      assertThat(client.say("BF.ADD f a")).isEqualTo(":0");
    }
  }
}
