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

/**
 * Without transactions, a crash separates what belongs together: the offset, the changelog and the
 * output. Records may come again then, but none is lost.
 */
class AtLeastOnceTest {
  private static final int KEYS = 1000;
  private static final int MORE = 300;

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

  /** Two applications, with and without snapshots, are in one process. */
  @Test
  void a_process_that_halts_at_any_point_loses_nothing() throws Exception {
    String in = kafka.topic("in", 1);
    Map<String, String> outs = Map.of("", kafka.topic("out", 1), "PT0S", kafka.topic("out", 1));
    List<String> records = new ArrayList<>(records());
    kafka.send(in, records);
    StringBuilder halts = new StringBuilder();
    List<Halt.Point> points = new ArrayList<>(List.of(Halt.Point.values()));
    points.add(Halt.Point.OUTPUT_MISSING); // some records are processed for the third time then
    for (Halt.Point point : points) {
      int after = ThreadLocalRandom.current().nextInt(point == Halt.Point.COMMITTED ? 2 : MORE) + 1;
      halts.append(" %s after %d".formatted(point, after));
      List<String> more = DeduplicationTest.numbers(records.size(), records.size() + MORE);
      records.addAll(more);
      kafka.send(in, more); // so that there is enough to do
      halt(process("", in, outs.get("")).with(process("PT0S", in, outs.get("PT0S"))), point, after);
      kafka.forget(id + "PT0S");
    }
    for (String snapshots : outs.keySet()) {
      finish(snapshots, in, outs.get(snapshots));
      assertThat(kafka.texts(outs.get(snapshots)))
          .as(halts.toString())
          .containsAll(Set.copyOf(records));
    }
  }

  private ApplicationProcess process(String snapshots, String in, String out) {
    return new ApplicationProcess(
            kafka.address(), id + snapshots, state.resolve("s" + snapshots), in, out)
        .snapshots(snapshots)
        .atLeastOnce();
  }

  private void halt(ApplicationProcess process, Halt.Point point, int after) throws Exception {
    assertThat(Patience.exitCode(process.haltAt(point, after).start()))
        .as(point.name())
        .isEqualTo(Halt.EXIT);
    kafka.forget(id);
  }

  /** The hashes in the changelog are those of the secret before. */
  @Test
  void a_record_recognizes_itself_after_a_change_of_the_secret() throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    kafka.send(in, records());
    halt(process("", in, out), Halt.Point.OUTPUT_MISSING, KEYS / 2);
    finish(
        "",
        in,
        out,
        ApplicationProcess.deduplication("").secret(Secret.random()).onChange(OnChange.GROW));

    assertThat(kafka.texts(out)).containsAll(Set.copyOf(records()));
  }

  private void finish(String snapshots, String in, String out) throws Exception {
    finish(snapshots, in, out, ApplicationProcess.deduplication(snapshots));
  }

  private void finish(
      String snapshots, String in, String out, TopicDeduplication<byte[], byte[]> deduplication)
      throws Exception {
    try (TestApplication last =
        TestApplication.start(
            TestApplication.once(in, out, deduplication),
            TestApplication.config(
                kafka.address(),
                id + snapshots,
                state.resolve("s" + snapshots),
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
    finish("", in, out);
    kafka.send(in, records());
    finish("", in, out);

    assertThat(kafka.texts(out))
        .containsExactlyInAnyOrderElementsOf(new LinkedHashSet<>(records()));
  }
}
