package dev.unseen.server.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a server after the filter that a resized one has replaced was dropped. */
class ResizeKillTest {
  private static final int ITEMS = 300;

  /** The least error rate, so that no new item is mistaken for a known one. */
  private static final String FILTER = "BF.RESERVE f 0.000000001 %d".formatted(4 * ITEMS);

  @TempDir Path directory;

  private ServerProcess server() throws IOException {
    return new ServerProcess(directory, "--save-every", "1h");
  }

  /** Adds items one by one with a command. Returns how many are new. */
  private static int added(RawClient client, String command, int from, int to) throws IOException {
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    for (int i = from; i < to; i++) {
      requests.writeBytes(RawClient.request(command, "f", "item" + i));
    }
    client.send(requests.toByteArray());
    int added = 0;
    for (int i = from; i < to; i++) {
      String reply = client.reply();
      added += reply.equals(":1") || reply.contains("GRANTED") ? 1 : 0;
    }
    return added;
  }

  @ParameterizedTest
  @ValueSource(strings = {"BF.ADD", "BF.MADD", "UN.RESERVE"})
  void what_the_new_filter_has_taken_over_stays_known(String command) throws Exception {
    try (ServerProcess server = server();
        RawClient client = server.client()) {
      assertThat(client.say(FILTER)).isEqualTo("+OK");
      assertThat(added(client, "BF.ADD", 0, ITEMS)).isEqualTo(ITEMS);
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      assertThat(client.say("BF.RESIZE f CAPACITY %d".formatted(8 * ITEMS))).isEqualTo("+OK");
      assertThat(added(client, command, 0, ITEMS)).as("duplicates").isZero();
      assertThat(added(client, "BF.ADD", ITEMS, 3 * ITEMS)).isEqualTo(2 * ITEMS);
      assertThat(client.ask("BF.INFO", "f", "FILTERS")).as("the former is gone").isEqualTo("[:1]");
      server.kill(); // before anything was saved
    }
    try (ServerProcess server = server();
        RawClient client = server.client()) {
      assertThat(added(client, "BF.ADD", 0, 3 * ITEMS)).as("duplicates").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SAVE", "PING"})
  void a_save_in_between_changes_nothing(String between) throws Exception {
    try (ServerProcess server = server();
        RawClient client = server.client()) {
      assertThat(client.say(FILTER)).isEqualTo("+OK");
      assertThat(added(client, "BF.ADD", 0, ITEMS)).isEqualTo(ITEMS);
      assertThat(client.say("BF.RESIZE f CAPACITY %d".formatted(8 * ITEMS))).isEqualTo("+OK");
      assertThat(added(client, "BF.ADD", 0, ITEMS / 2)).isZero();
      client.say(between);
      assertThat(added(client, "BF.ADD", ITEMS / 2, ITEMS)).isZero();
      assertThat(added(client, "BF.ADD", ITEMS, 3 * ITEMS)).isEqualTo(2 * ITEMS);
      server.kill();
    }
    try (ServerProcess server = server();
        RawClient client = server.client()) {
      assertThat(added(client, "BF.ADD", 0, 3 * ITEMS)).as("duplicates").isZero();
    }
  }
}
