package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import dev.unseen.hash.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that change between two runs: no record is lost, and none is repeated. */
class GrowTest {
  private static final int PART = 2000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;
  private String in;
  private String out;

  @BeforeEach
  void makeTopics() throws Exception {
    in = kafka.topic("in", 2);
    out = kafka.topic("out", 2);
  }

  private TestApplication start(
      TopicDeduplication<byte[], byte[]> deduplication, String directory, String guarantee) {
    return TestApplication.start(
        TestApplication.once(in, out, deduplication),
        TestApplication.config(
            kafka.address(),
            id,
            state.resolve(directory),
            Map.of("processing.guarantee", guarantee)));
  }

  private void run(
      TopicDeduplication<byte[], byte[]> deduplication, String directory, String guarantee)
      throws Exception {
    try (TestApplication application = start(deduplication, directory, guarantee)) {
      application.await(kafka, in);
    }
  }

  private static TopicDeduplication<byte[], byte[]> saving(boolean snapshots, long memory) {
    TopicDeduplication<byte[], byte[]> deduplication = TestApplication.byKey(memory);
    return snapshots ? deduplication.snapshotEvery(Duration.ofMinutes(5)) : deduplication;
  }

  @ParameterizedTest
  @CsvSource({"false, exactly_once_v2", "true, exactly_once_v2", "false, at_least_once"})
  void more_memory_and_less_again(boolean snapshots, String guarantee) throws Exception {
    kafka.send(in, DeduplicationTest.numbers(0, PART));
    run(saving(snapshots, Memory.MiB(2)), "a", guarantee);

    kafka.send(in, DeduplicationTest.numbers(0, 2 * PART));
    run(saving(snapshots, Memory.MiB(8)).onChange(OnChange.GROW), "a", guarantee);
    kafka.send(in, DeduplicationTest.numbers(0, 3 * PART));
    run(saving(snapshots, Memory.MiB(8)), "a", guarantee); // the changelog has the new options
    kafka.send(in, DeduplicationTest.numbers(0, 4 * PART));
    run(saving(snapshots, Memory.MiB(4)).onChange(OnChange.GROW), "a", guarantee);
    kafka.send(in, DeduplicationTest.numbers(0, 5 * PART));
    run(saving(snapshots, Memory.MiB(4)), "elsewhere", guarantee);

    kafka.assertOnce(in, out);
  }

  private static TopicDeduplication<byte[], byte[]> with(boolean snapshots, Secret secret) {
    return saving(snapshots, Memory.MiB(2)).secret(secret);
  }

  @ParameterizedTest
  @CsvSource({"false, exactly_once_v2", "true, exactly_once_v2", "false, at_least_once"})
  void a_secret_that_changes(boolean snapshots, String guarantee) throws Exception {
    Secret first = Secret.random();
    Secret second = Secret.random();
    kafka.send(in, DeduplicationTest.numbers(0, PART));
    run(with(snapshots, first), "a", guarantee);
    kafka.send(in, DeduplicationTest.numbers(0, 2 * PART));
    run(with(snapshots, second).onChange(OnChange.GROW), "a", guarantee);
    kafka.send(in, DeduplicationTest.numbers(0, 3 * PART));
    run(with(snapshots, second), "a", guarantee);
    kafka.send(in, DeduplicationTest.numbers(0, 4 * PART));
    run(saving(snapshots, Memory.MiB(2)), "elsewhere", guarantee);

    kafka.assertOnce(in, out);
  }

  private static TopicDeduplication<byte[], byte[]> within(int hours) {
    return TestApplication.byKey(Memory.MiB(2))
        .window(Window.time(Duration.ofHours(hours)))
        .onChange(OnChange.GROW);
  }

  /** The times of keys are in the changelog, so a longer window knows keys that the old did not. */
  @Test
  void a_window_that_becomes_longer_and_shorter() throws Exception {
    long start = (System.currentTimeMillis() / (24 * HOUR) - 4) * 24 * HOUR;
    kafka.send(in, List.of("a"), start);
    run(within(8), "a", "exactly_once_v2");

    kafka.send(in, List.of("a", "b"), start + 12 * HOUR);
    run(within(24), "a", "exactly_once_v2");
    assertThat(kafka.texts(out)).containsExactlyInAnyOrder("a", "b");

    kafka.send(in, List.of("a", "b"), start + 18 * HOUR);
    run(within(8), "a", "exactly_once_v2");
    assertThat(kafka.texts(out)).as("6 hours later").containsExactlyInAnyOrder("a", "b");

    kafka.send(in, List.of("a"), start + 28 * HOUR);
    run(within(8), "a", "exactly_once_v2");
    assertThat(kafka.texts(out)).as("10 hours later").containsExactlyInAnyOrder("a", "b", "a");
  }
}
