package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With faults, the output is that of a run without them. {@code -Dkafka.seeds=20} tries more
 * moments for the faults.
 */
class ExactlyOnceTest {
  private static final int KEYS = 6000;

  @TempDir private Path state;

  /**
   * Draws records that each come once to three times. A filter of this size loses none of them by
   * mistake, but for odds of 6000 * 6000 / 2^40.
   */
  private static List<String> records(Random random) {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 2 * KEYS; i++) {
      records.add("k" + random.nextInt(KEYS));
    }
    return records;
  }

  static IntStream seeds() {
    return IntStream.rangeClosed(1, Integer.getInteger("kafka.seeds", 1));
  }

  /** Two applications, with and without snapshots, are in one process. */
  @ParameterizedTest
  @MethodSource("seeds")
  void instances_that_are_killed_repeat_and_lose_nothing(int seed) throws Exception {
    TestKafka kafka = TestKafka.shared();
    Random random = new Random(seed);
    String in = kafka.topic("in", 3);
    String id = TestKafka.name("app");
    Map<String, String> outs = Map.of("", kafka.topic("out", 3), "PT0S", kafka.topic("out", 3));
    List<String> records = records(random);
    kafka.send(in, records.subList(0, KEYS));
    int kills = 2;
    for (int i = 0; i < kills; i++) {
      int[] before = {kafka.read(outs.get("")).size(), kafka.read(outs.get("PT0S")).size()};
      Process process =
          process(kafka, "", id, in, outs).with(process(kafka, "PT0S", id, in, outs)).start();
      int from = KEYS + i * KEYS / kills;
      kafka.send(in, records.subList(from, from + KEYS / kills));
      awaitMore(kafka, outs.get(""), before[0]);
      awaitMore(kafka, outs.get("PT0S"), before[1]);
      Thread.sleep(random.nextInt(300));
      process.destroyForcibly();
      assertThat(Patience.exitCode(process)).as("killed").isEqualTo(128 + 9);
      kafka.forget(id);
      kafka.forget(id + "PT0S");
    }
    for (String snapshots : outs.keySet()) {
      try (TestApplication last =
          TestApplication.start(
              TestApplication.once(
                  in, outs.get(snapshots), ApplicationProcess.deduplication(snapshots)),
              TestApplication.config(
                  kafka.address(), id + snapshots, directory(snapshots), Map.of()))) {
        last.await(kafka, in);
      }
      kafka.assertOnce(in, outs.get(snapshots));
    }
  }

  private ApplicationProcess process(
      TestKafka kafka, String snapshots, String id, String in, Map<String, String> outs) {
    return new ApplicationProcess(
            kafka.address(), id + snapshots, directory(snapshots), in, outs.get(snapshots))
        .snapshots(snapshots);
  }

  private Path directory(String snapshots) {
    return state.resolve("s" + snapshots);
  }

  private static void awaitMore(TestKafka kafka, String topic, int records) {
    await("more than %d records in %s".formatted(records, topic))
        .until(() -> kafka.read(topic).size() > records);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_broker_that_goes_away_and_comes_back_repeats_and_loses_nothing(int seed) throws Exception {
    Random random = new Random(seed);
    List<String> records = records(random);
    try (TestKafka kafka = TestKafka.start()) {
      String in = kafka.topic("in", 2);
      String out = kafka.topic("out", 2);
      kafka.send(in, records.subList(0, KEYS));
      String id = TestKafka.name("app");
      try (TestApplication application =
          TestApplication.start(
              TestApplication.once(in, out, ApplicationProcess.deduplication("")),
              TestApplication.config(kafka.address(), id, state, Map.of()))) {
        awaitMore(kafka, out, 0);
        Thread.sleep(random.nextInt(200));
        kafka.broker().stop();
        Thread.sleep(random.nextInt(1000));
        kafka.broker().start();
        kafka.send(in, records.subList(KEYS, 2 * KEYS));
        application.await(kafka, in);
      }
      kafka.assertOnce(in, out);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void brokers_that_stop_at_random_repeat_and_lose_nothing(int seed) throws Exception {
    Random random = new Random(seed);
    List<String> records = records(random);
    try (TestKafka kafka = TestKafka.start(3)) {
      String in = kafka.topic("in", 3);
      String out = kafka.topic("out", 3);
      kafka.send(in, records.subList(0, KEYS));
      try (TestApplication application =
          TestApplication.start(
              TestApplication.once(in, out, ApplicationProcess.deduplication("")),
              TestApplication.config(kafka.address(), TestKafka.name("app"), state, Map.of()))) {
        awaitMore(kafka, out, 0);
        int stops = 2;
        for (int i = 0; i < stops; i++) {
          int from = KEYS + i * KEYS / stops;
          EmbeddedBroker broker = kafka.brokers().get(random.nextInt(3));
          Thread.sleep(random.nextInt(200));
          broker.stop();
          kafka.send(in, records.subList(from, from + KEYS / stops));
          Thread.sleep(random.nextInt(500));
          broker.start();
        }
        application.await(kafka, in);
      }
      kafka.assertOnce(in, out);
    }
  }
}
