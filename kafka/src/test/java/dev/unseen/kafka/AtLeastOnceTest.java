package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.hash.Secret;
import dev.unseen.testing.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Without transactions, a crash separates what belongs together: the offset, the changelog and the
 * output. Records may come again then, but none is lost.
 */
class AtLeastOnceTest {
  private static final int KEYS = 3000;

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;

  /** Returns records of which each third one is a duplicate of an earlier one. */
  private static List<String> records() {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      records.add("n" + i);
      if (i % 2 == 0) {
        records.add("n" + i / 2);
      }
    }
    return records;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PT0S"})
  void a_process_that_halts_at_any_point_loses_nothing(String snapshots) throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    List<String> records = records();
    kafka.send(in, records);
    StringBuilder halts = new StringBuilder();
    List<Halt.Point> points = new ArrayList<>(List.of(Halt.Point.values()));
    points.add(Halt.Point.OUTPUT_MISSING); // some records are processed for the third time then
    for (Halt.Point point : points) {
      int after = ThreadLocalRandom.current().nextInt(point == Halt.Point.COMMITTED ? 2 : 300) + 1;
      halts.append(" %s after %d".formatted(point, after));
      halt(in, out, snapshots, point, after);
    }
    finish(in, out, snapshots);

    assertThat(kafka.texts(out)).as(halts.toString()).containsAll(Set.copyOf(records));
  }

  private void halt(String in, String out, String snapshots, Halt.Point point, int after)
      throws Exception {
    Process process =
        new ApplicationProcess(kafka.address(), id, state, in, out)
            .snapshots(snapshots)
            .atLeastOnce()
            .haltAt(point, after)
            .start();
    kafka.send(in, List.of("after " + point)); // so that there is something to do
    assertThat(Patience.exitCode(process)).as(point.name()).isEqualTo(Halt.EXIT);
    kafka.forget(id);
  }

  /** The hashes in the changelog are those of the secret before. */
  @Test
  void a_record_recognizes_itself_after_a_change_of_the_secret() throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    kafka.send(in, records());
    halt(in, out, "", Halt.Point.OUTPUT_MISSING, KEYS / 2);
    finish(
        in,
        out,
        ApplicationProcess.deduplication("").secret(Secret.random()).onChange(OnChange.GROW));

    assertThat(kafka.texts(out)).containsAll(Set.copyOf(records()));
  }

  private void finish(String in, String out, String snapshots) throws Exception {
    finish(in, out, ApplicationProcess.deduplication(snapshots));
  }

  private void finish(String in, String out, TopicDeduplication<byte[], byte[]> deduplication)
      throws Exception {
    try (TestApplication last =
        TestApplication.start(
            TestApplication.once(in, out, deduplication),
            TestApplication.config(
                kafka.address(),
                id,
                state,
                Map.of(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE)))) {
      last.await(kafka, in);
    }
  }

  /** What was committed is known after a restart, and a duplicate of it does not pass. */
  @Test
  void without_a_crash_each_key_comes_once() throws Exception {
    String in = kafka.topic("in", 3);
    String out = kafka.topic("out", 3);
    kafka.send(in, records());
    finish(in, out, "");
    kafka.send(in, records());
    finish(in, out, "");

    assertThat(kafka.texts(out))
        .containsExactlyInAnyOrderElementsOf(new LinkedHashSet<>(records()));
  }
}
