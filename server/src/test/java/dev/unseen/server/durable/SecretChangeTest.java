package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.hash.Secret;
import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import dev.unseen.server.store.StoreException;
import dev.unseen.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is started with another secret forgets nothing, and then forgets the former. */
class SecretChangeTest {
  private static final long HOUR = 3_600_000;

  @TempDir Path root;

  private long now = System.currentTimeMillis();

  private Path secretFile(String name) throws IOException {
    Path file = root.resolve(name);
    return Files.exists(file)
        ? file
        : Files.writeString(file, Secret.random().digits() + System.lineSeparator());
  }

  private TestServer server(String secret, String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("--dir", data().toString(), "--save-every", "1s"));
    args.addAll(List.of("--secret-file", secretFile(secret).toString()));
    args.addAll(List.of(more));
    return new TestServer(now, args.toArray(String[]::new));
  }

  private Path data() {
    return root.resolve("data");
  }

  private static List<String> pipelined(RawClient client, int from, int to, String... command)
      throws IOException {
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int i = from; i < to; i++) {
      String item = "item" + i;
      requests.writeBytes(
          RawClient.request(
              Stream.of(command).map(w -> w.replace("ITEM", item)).toArray(String[]::new)));
    }
    client.send(requests.toByteArray());
    List<String> replies = new ArrayList<>();
    for (int i = from; i < to; i++) {
      replies.add(client.reply());
    }
    return replies;
  }

  private static void all(String reply, RawClient client, int from, int to, String command)
      throws IOException {
    assertThat(pipelined(client, from, to, command.split(" ", -1)))
        .as(command)
        .allMatch(reply::equals);
  }

  private static void awaitEnd(RawClient client) {
    Patience.await("the end of the former secret")
        .until(() -> client.say("INFO persistence").contains("former_secrets:0\r\n"));
  }

  private List<Path> filesWith(String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(data())) {
      for (Path file : files.toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  @Test
  void every_command_knows_all_earlier_items_and_the_former_secret_ends() throws Exception {
    String former = Files.readString(secretFile("a")).strip();
    try (TestServer server = server("a");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE clicks 0.000000001 5000")).isEqualTo("+OK");
      assertThat(client.say("BF.RESERVE late 0.000000001 5000 WINDOW 1h")).isEqualTo("+OK");
      all(":1", client, 0, 1000, "BF.ADD clicks ITEM");
      all(":1", client, 0, 1000, "BF.ADD late ITEM");
      all(":1", client, 0, 100, "BF.ADD brief ITEM EX 3600");
      all("+OK", client, 0, 1000, "SET ITEM 1 NX EX 3600");
      all("+OK", client, 1000, 1100, "SET ITEM 1 NX EX 60");
    }
    assertThat(filesWith(former)).isNotEmpty();
    try (TestServer server = server("b");
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString()).contains("the secret has changed");
      assertThat(client.say("INFO persistence")).contains("former_secrets:1\r\n");
      all(":1", client, 0, 1000, "BF.EXISTS clicks ITEM");
      all(":0", client, 0, 900, "BF.ADD clicks ITEM");
      all(":0", client, 0, 1000, "BF.ADD late ITEM");
      all(":0", client, 0, 100, "BF.ADD brief ITEM EX 3600");
      all("nil", client, 0, 1100, "SET ITEM 1 NX EX 3600");
      all("nil", client, 0, 1100, "SET ITEM 1 NX EX 60");
      all(":1", client, 0, 1100, "EXISTS ITEM");
      all(":0", client, 2000, 2100, "EXISTS ITEM");
      assertThat(client.say("UN.RESERVE clicks item950")).isEqualTo("['DUPLICATE', nil]");
      assertThat(client.say("UN.RESERVE clicks new")).startsWith("['GRANTED', ");
      assertThat(client.say("UN.ADMIT clicks item951")).isEqualTo(":0");
      assertThat(client.say("UN.ADMIT late item1 TIME " + server.now())).isEqualTo(":0");
      assertThat(client.say("BF.MADD clicks item952 fresh item952 fresh"))
          .isEqualTo("[:0, :1, :0, :0]");
      assertThat(client.say("BF.MEXISTS clicks item953 nobody")).isEqualTo("[:1, :0]");
      all(":0", client, 0, 1000, "BF.ADD clicks ITEM");
      all(":1", client, 1000, 2000, "BF.ADD clicks ITEM"); // as many as the former filter held
      all(":1", client, 5000, 5100, "BF.ADD late ITEM");
      all("+OK", client, 5000, 5100, "SET ITEM 1 NX EX 3600");
      server.pass(3 * HOUR);
      all(":1", client, 6000, 6001, "BF.ADD late ITEM"); // by times of items, so it needs one
      awaitEnd(client);
      all(":0", client, 0, 2000, "BF.ADD clicks ITEM");
      all("+OK", client, 0, 1000, "SET ITEM 1 NX EX 3600");
      now = server.now();
    }
    assertThat(filesWith(former)).isEmpty();
    try (TestServer server = server("b");
        RawClient client = server.client()) {
      all(":0", client, 0, 2000, "BF.ADD clicks ITEM");
      all("nil", client, 0, 1000, "SET ITEM 1 NX EX 3600");
    }
  }

  @Test
  void deleted_keys_stay_deleted_and_keys_set_again_stay_set() throws Exception {
    try (TestServer server = server("a");
        RawClient client = server.client()) {
      all("+OK", client, 0, 400, "SET ITEM 1 NX EX 3600");
      server.pass(HOUR / 2);
      all(":1", client, 0, 300, "DEL ITEM");
      all("+OK", client, 0, 100, "SET ITEM 1 NX EX 3600"); // only the list knows them
      now = server.now();
    }
    for (int restart = 0; restart < 2; restart++) {
      try (TestServer server = server("b");
          RawClient client = server.client()) {
        all(":1", client, 0, 100, "EXISTS ITEM");
        all(":0", client, 100, 300, "EXISTS ITEM");
        all(":1", client, 300, 400, "EXISTS ITEM");
        if (restart == 0) {
          all("nil", client, 0, 50, "SET ITEM 1 NX EX 3600");
          all("+OK", client, 200, 300, "SET ITEM 1 NX EX 3600");
          all(":1", client, 200, 300, "DEL ITEM");
          all(":1", client, 300, 350, "DEL ITEM");
          all("+OK", client, 300, 350, "SET ITEM 1 NX EX 3600");
        }
      }
    }
    try (TestServer server = server("b");
        RawClient client = server.client()) {
      server.pass(HOUR * 45 / 60); // the filter has forgotten all, the list has not
      all("nil", client, 0, 100, "SET ITEM 1 NX EX 3600");
      all(":0", client, 100, 300, "EXISTS ITEM");
      all("nil", client, 300, 350, "SET ITEM 1 NX EX 3600");
      all("+OK", client, 350, 400, "SET ITEM 1 NX EX 3600");
      server.pass(2 * HOUR);
      awaitEnd(client);
      assertThat(data().resolve("former-secrets")).doesNotExist();
    }
  }

  @Test
  void a_filter_that_never_forgets_keeps_its_secret_and_its_capacity() throws Exception {
    try (TestServer server = server("a");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE exact 0.000001 100 NONSCALING")).isEqualTo("+OK");
      all(":1", client, 0, 60, "BF.ADD exact ITEM");
    }
    for (String secret : List.of("b", "c", "c")) {
      try (TestServer server = server(secret);
          RawClient client = server.client()) {
        all(":0", client, 0, 60, "BF.ADD exact ITEM");
        assertThat(client.say("BF.CARD exact")).isEqualTo(":60");
        assertThat(client.ask("BF.INFO", "exact", "FILTERS")).isEqualTo("[:1]");
      }
    }
    try (TestServer server = server("d");
        RawClient client = server.client()) {
      assertThat(server.server().startupMessages().toString())
          .contains("filter 'exact' keeps the former secret, because it never forgets an item");
      all(":1", client, 60, 100, "BF.ADD exact ITEM");
      all("-ERR non scaling filter is full", client, 100, 101, "BF.ADD exact ITEM");
    }
  }

  @Test
  void a_second_change_and_a_change_back_forget_nothing() throws Exception {
    int added = 0;
    for (String secret : List.of("a", "b", "c", "a")) {
      try (TestServer server = server(secret);
          RawClient client = server.client()) {
        all("nil", client, 0, added, "SET ITEM 1 NX EX 3600");
        all(":0", client, 0, added, "BF.ADD clicks ITEM EX 3600");
        all("+OK", client, added, added + 100, "SET ITEM 1 NX EX 3600");
        all(":1", client, added, added + 100, "BF.ADD clicks ITEM EX 3600");
        added += 100;
      }
    }
    try (TestServer server = server("a");
        RawClient client = server.client()) {
      all("nil", client, 0, added, "SET ITEM 1 NX EX 3600");
      all(":0", client, 0, added, "BF.ADD clicks ITEM EX 3600");
      server.pass(2 * HOUR);
      awaitEnd(client);
    }
  }

  @Test
  void without_memory_for_both_filters_nothing_changes() throws Exception {
    String[] memory = {"--max-memory", "24M", "--max-request", "64K"};
    try (TestServer server = server("a", memory);
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE large 0.001 1000 MEMORY 12mb")).isEqualTo("+OK");
      all(":1", client, 0, 10, "BF.ADD large ITEM");
    }
    assertThatThrownBy(() -> server("b", memory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("filter 'large' with its new options");
    try (TestServer server = server("a", memory);
        RawClient client = server.client()) {
      all(":0", client, 0, 10, "BF.ADD large ITEM");
      assertThat(client.ask("BF.INFO", "large", "FILTERS")).isEqualTo("[:1]");
    }
  }

  @Test
  void a_file_without_a_secret_is_rejected() throws Exception {
    Files.writeString(root.resolve("bad"), "hello\n");
    assertThatThrownBy(() -> server("bad"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--secret-file")
        .hasMessageContaining("32 hexadecimal digits")
        .hasMessageContaining("openssl rand -hex 16");
  }
}
