package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Applications with the earlier versions of Kafka Streams; all other tests have the newest. */
class VersionsTest {
  private static final int PART = 2000;

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;

  static Stream<String> versions() throws IOException {
    return ApplicationProcess.versions();
  }

  /** Two applications, with and without transactions, are in one process. */
  @ParameterizedTest
  @MethodSource("versions")
  void an_instance_that_halts_loses_nothing_and_repeats_nothing_with_transactions(String version)
      throws Exception {
    String in = kafka.topic("in", 2);
    String once = kafka.topic("once", 2);
    String atLeastOnce = kafka.topic("at-least-once", 2);
    kafka.send(in, DeduplicationTest.numbers(0, PART));
    Process halted =
        processes(version, in, once, atLeastOnce)
            .haltAt(Halt.Point.OUTPUT_MISSING, PART / 2)
            .start();
    assertThat(Patience.exitCode(halted)).isEqualTo(Halt.EXIT);
    forget();
    kafka.send(in, DeduplicationTest.numbers(PART / 2, 2 * PART));
    Process process = processes(version, in, once, atLeastOnce).start();
    await("all of " + in + " to be processed")
        .failFast("the application has ended", () -> !process.isAlive())
        .until(() -> kafka.lag(id, in) <= 0 && kafka.lag(id + "b", in) <= 0);
    process.destroyForcibly();
    Patience.exitCode(process);
    forget();

    kafka.assertOnce(in, once);
    assertThat(Set.copyOf(kafka.texts(atLeastOnce)))
        .isEqualTo(Set.copyOf(DeduplicationTest.numbers(0, 2 * PART)));
  }

  private ApplicationProcess processes(String version, String in, String once, String atLeastOnce) {
    return new ApplicationProcess(kafka.address(), id, state.resolve("a"), in, once)
        .version(version)
        .with(
            new ApplicationProcess(kafka.address(), id + "b", state.resolve("b"), in, atLeastOnce)
                .atLeastOnce());
  }

  private void forget() throws Exception {
    kafka.forget(id);
    kafka.forget(id + "b");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void snapshots_are_rejected_when_the_topology_is_built(String version) throws Exception {
    Process process =
        new ApplicationProcess(kafka.address(), id, state, "in", "out")
            .version(version)
            .snapshots("PT0S")
            .builder()
            .start();
    String error = new String(process.getErrorStream().readAllBytes(), UTF_8);

    assertThat(Patience.exitCode(process)).isEqualTo(1);
    assertThat(error)
        .contains("snapshotEvery needs Kafka Streams 4.3 or newer, and this is " + version)
        .contains("leave it out");
  }
}
