package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fits into --max-memory fits after a restart too. */
class MemoryLimitTest {
  private static final long BUFFERS = 1 << 20;
  @TempDir Path directory;

  private static long used(RawClient client) throws IOException {
    return Long.parseLong(
        client.ask("INFO", "memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
  }

  private TestServer start(long memory) throws IOException {
    return new TestServer(
        "--dir",
        directory.toString(),
        "--max-memory",
        Long.toString(memory + BUFFERS),
        "--max-buffers",
        Long.toString(BUFFERS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SAVE", "NOSAVE"})
  void filters_up_to_the_limit_are_loaded_after_a_restart(String end) throws IOException {
    List<String> lines =
        List.of(
            "BF.RESERVE large 0.001 1000000",
            "BF.RESERVE sharded 0.001 3456789",
            "BF.RESERVE small 0.001 100",
            "BF.RESERVE odd 0.0123 54321",
            "BF.RESERVE windowed 0.001 1000000 WINDOW 1h",
            "BF.RESERVE bounded 0.001 1000000 NONSCALING",
            "BF.RESERVE sized 0.001 100 MEMORY 3mb",
            "BF.RESERVE stable 0.001 100 MEMORY 2mb KIND sbf",
            "BF.RESERVE plain 0.001 100 MEMORY 100000 KIND bloom",
            "SET a 1 NX EX 60",
            "SET b 1 NX EX 3600");
    long used;
    try (TestServer server = start(200 << 20);
        RawClient client = server.client()) {
      for (String line : lines) {
        assertThat(client.say(line)).as(line).isEqualTo("+OK");
      }
      used = used(client);
      client.send(RawClient.request("SHUTDOWN", end));
      assertThat(client.isClosed()).isTrue();
    }
    for (int restart = 0; restart < 2; restart++) {
      try (TestServer server = start(used);
          RawClient client = server.client()) {
        assertThat(client.say("DBSIZE")).isEqualTo(":9");
        assertThat(used(client)).isLessThanOrEqualTo(used).isGreaterThan(used - used / 1000);
      }
    }
  }
}
