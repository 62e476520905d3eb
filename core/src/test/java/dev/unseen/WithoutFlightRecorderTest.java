package dev.unseen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime image may lack jdk.jfr, as one of Android or a small one of jlink does. */
final class WithoutFlightRecorderTest {
  @TempDir Path directory;

  @Test
  void saves_loads_and_raises_alarms_without_the_flight_recorder() throws Exception {
    Path output = directory.resolve("output");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                directory.resolve("state.uns").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(Patience.exitCode(java)).as(Files.readString(output, UTF_8)).isZero();
    assertThat(Files.readString(output, UTF_8).strip())
        .isEqualTo("jdk.jfr: false, alarms: 1, loaded: true");
  }

  /** Runs in a process without jdk.jfr. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      int[] alarms = {0};
      Gate gate =
          Gate.builder()
              .kind(dev.unseen.filter.FilterKind.BLOOM)
              .memory(1024)
              .onAlarm(alarm -> alarms[0]++)
              .build();
      for (long i = 0; i < 100_000; i++) {
        gate.admit(i * 0x9E3779B97F4A7C15L);
      }
      gate.save(file, java.util.Map.of());
      boolean loaded = Gate.builder().load(file).records() == 100_000;
      System.out.printf(
          "jdk.jfr: %s, alarms: %d, loaded: %s%n",
          ModuleLayer.boot().findModule("jdk.jfr").isPresent(), alarms[0], loaded);
    }
  }
}
