package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  private void process(ApplicationProcess application, String in) throws Exception {
    Process process = application.start();
    await("all of " + in + " to be processed")
        .failFast("the application has ended", () -> !process.isAlive())
        .until(() -> kafka.lag(id, in) <= 0);
    process.destroyForcibly();
    Patience.exitCode(process);
    kafka.forget(id);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_killed_instance_repeats_and_loses_nothing(String version) throws Exception {
    String in = kafka.topic("in", 2);
    String out = kafka.topic("out", 2);
    ApplicationProcess application =
        new ApplicationProcess(kafka.address(), id, state, in, out).version(version);
    kafka.send(in, DeduplicationTest.numbers(0, PART));
    process(application, in);
    kafka.send(in, DeduplicationTest.numbers(PART / 2, 2 * PART));
    process(application, in);

    kafka.assertOnce(in, out);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void an_instance_that_halts_without_transactions_loses_nothing(String version) throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    List<String> records = DeduplicationTest.numbers(0, PART);
    kafka.send(in, records);
    Process halted =
        new ApplicationProcess(kafka.address(), id, state, in, out)
            .version(version)
            .atLeastOnce()
            .haltAt(Halt.Point.OUTPUT_MISSING, PART / 2)
            .start();
    assertThat(Patience.exitCode(halted)).isEqualTo(Halt.EXIT);
    kafka.forget(id);
    process(
        new ApplicationProcess(kafka.address(), id, state, in, out).version(version).atLeastOnce(),
        in);

    assertThat(Set.copyOf(kafka.texts(out))).isEqualTo(Set.copyOf(records));
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
