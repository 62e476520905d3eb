package dev.unseen.server;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process takes 1.3 times --max-memory and 150 MB at most, and returns what it does not need. */
class MemoryUseTest {
  private static final long MAX_MEMORY = 128 << 20;
  private static final long FIXED = 150_000_000;

  @TempDir Path directory;

  @BeforeEach
  void requireProc() {
    assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "there is no /proc");
  }

  /** Returns a number of bytes that the system reports for a process, such as VmRSS. */
  private static long bytes(ServerProcess server, String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(server.pid()))).stream()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void filters_and_unfinished_requests_stay_within_the_limit_and_are_returned() throws Exception {
    List<RawClient> slow = new ArrayList<>();
    try (ServerProcess server =
            ServerProcess.asLaunched(
                directory, "--max-memory", "" + MAX_MEMORY, "--max-request", "16M");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE f 0.001 1 MEMORY 70mb")).isEqualTo("+OK");
      byte[] half =
          ("*2\r\n$4\r\nECHO\r\n$16000000\r\n" + "x".repeat(15_000_000)).getBytes(US_ASCII);
      for (int i = 0; i < 40; i++) {
        RawClient other = server.client();
        slow.add(other);
        try {
          other.send(half);
        } catch (IOException e) {
          // disconnected, because all together hold too much
        }
      }
      assertThat(client.say("INFO stats")).doesNotContain("rejected_connections:0");
      assertThat(bytes(server, "VmHWM")).isLessThan(MAX_MEMORY / 10 * 13 + FIXED);
      for (RawClient other : slow) {
        other.close();
      }
      assertThat(client.say("DEL f")).isEqualTo(":1");
      await("the memory to be returned")
          .until(() -> bytes(server, "VmRSS") < MAX_MEMORY / 10 * 3 + FIXED);
    }
  }

  @Test
  void filters_that_replace_each_other_stay_within_the_limit() throws Exception {
    try (ServerProcess server =
            ServerProcess.asLaunched(directory, "--max-memory", "" + MAX_MEMORY);
        RawClient client = server.client()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.say("BF.RESERVE f 0.001 1 MEMORY 100mb")).isEqualTo("+OK");
        assertThat(client.say("DEL f")).isEqualTo(":1");
      }
      assertThat(bytes(server, "VmHWM")).isLessThan(MAX_MEMORY / 10 * 13 + FIXED);
    }
  }
}
