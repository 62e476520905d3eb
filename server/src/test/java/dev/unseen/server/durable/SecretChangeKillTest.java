package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.hash.Secret;
import dev.unseen.server.RawClient;
import dev.unseen.server.ServerProcess;
import dev.unseen.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server while it changes the secret, and after it, and compares all answers with an exact
 * model: no item of before is new again, and no new one is known.
 */
class SecretChangeKillTest {
  private static final int FILTERS = 20;
  private static final int ITEMS = 200; // of each filter, and of SET
  private static final String FILTER = "0.000000001 4000"; // so nothing is evicted or mistaken

  @TempDir Path root;

  private int added; // items of each filter, all of which are known

  private Path data() {
    return root.resolve("data");
  }

  private Path secretFile(String name) throws IOException {
    Path file = root.resolve(name);
    return Files.exists(file) ? file : Files.writeString(file, Secret.random().digits());
  }

  private String[] options(String secret) throws IOException {
    return new String[] {
      "--secret-file", secretFile(secret).toString(), "--save-every", "1h", "--set-memory", "1M"
    };
  }

  /** Adds items to all filters and to SET. Returns the replies, of SET as numbers. */
  private static List<String> add(RawClient client, int from, int to) throws IOException {
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int i = from; i < to; i++) {
      for (int f = 0; f < FILTERS; f++) {
        requests.writeBytes(RawClient.request("BF.ADD", "f" + f, "item" + i));
      }
      requests.writeBytes(RawClient.request("SET", "item" + i, "1", "NX", "EX", "86400"));
    }
    client.send(requests.toByteArray());
    List<String> replies = new ArrayList<>();
    for (int i = 0; i < (to - from) * (FILTERS + 1); i++) {
      String reply = client.reply();
      replies.add(reply.equals("+OK") ? ":1" : reply.equals("nil") ? ":0" : reply);
    }
    return replies;
  }

  private void addNew(RawClient client, int count) throws IOException {
    assertThat(add(client, added, added + count)).as("new items").allMatch(":1"::equals);
    added += count;
  }

  private void addAllAgain(RawClient client) throws IOException {
    assertThat(add(client, 0, added)).as("duplicates").allMatch(":0"::equals);
  }

  /** Starts a server and kills it as soon as something is true of its directory. */
  private void startAndKill(String secret, Condition when) throws Exception {
    List<String> command = ServerProcess.command(data(), options(secret));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      Patience.await("a change of the directory").until(() -> when.holds() || !process.isAlive());
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private boolean contains(String file, String secret) throws IOException {
    return Files.readString(data().resolve(file), ISO_8859_1)
        .contains(Files.readString(secretFile(secret)).strip());
  }

  @Test
  void no_item_passes_twice_and_none_is_lost_whenever_the_server_is_killed() throws Exception {
    try (ServerProcess server = new ServerProcess(data(), options("s0"));
        RawClient client = server.client()) {
      for (int f = 0; f < FILTERS; f++) {
        assertThat(client.say("BF.RESERVE f%d %s".formatted(f, FILTER))).isEqualTo("+OK");
      }
      addNew(client, ITEMS);
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      addNew(client, ITEMS); // only in the journal
      server.kill();
    }
    List<Condition> moments =
        List.of(
            () -> Files.exists(data().resolve("former-secrets")),
            () -> contains("secret", "s2"),
            () -> contains("key-f0.uns", "s3"));
    for (int i = 0; i < moments.size(); i++) {
      String secret = "s" + (i + 1);
      startAndKill(secret, moments.get(i));
      try (ServerProcess server = new ServerProcess(data(), options(secret));
          RawClient client = server.client()) {
        addAllAgain(client);
        addNew(client, ITEMS); // after a restart, they are only in the journal
        server.kill();
      }
    }
    try (ServerProcess server = new ServerProcess(data(), options("s3"));
        RawClient client = server.client()) {
      addAllAgain(client);
      addNew(client, added); // as many as the former filters held, which end
      assertThat(client.ask("BF.INFO", "f0", "FILTERS")).isEqualTo("[:1]");
      server.kill(); // before anything was saved
    }
    try (ServerProcess server = new ServerProcess(data());
        RawClient client = server.client()) {
      addAllAgain(client);
      addNew(client, ITEMS);
    }
  }
}
