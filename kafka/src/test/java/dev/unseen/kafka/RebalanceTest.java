package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances that come and go take over each other's partitions. */
class RebalanceTest {
  private static final int PART = 2000;

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;

  private TestApplication start(String name, String in, String out, int standbys) {
    return TestApplication.start(
        TestApplication.once(in, out, TestApplication.byKey(Memory.MiB(4))),
        TestApplication.config(
            kafka.address(),
            id,
            state.resolve(name),
            Map.of(
                "num.standby.replicas",
                standbys,
                "acceptable.recovery.lag",
                0,
                "probing.rebalance.interval.ms",
                60_000)));
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void a_second_instance_joins_and_the_first_leaves_and_comes_back(int standbys) throws Exception {
    String in = kafka.topic("in", 4);
    String out = kafka.topic("out", 4);
    List<String> sent = new ArrayList<>(DeduplicationTest.numbers(0, PART));
    kafka.send(in, sent);
    try (TestApplication second = joinAndLeave(in, out, standbys)) {
      kafka.send(in, DeduplicationTest.numbers(PART, 4 * PART));
      second.await(kafka, in);
      try (TestApplication again = start("first", in, out, standbys)) {
        again.awaitRunning();
        kafka.send(in, DeduplicationTest.numbers(0, 5 * PART));
        again.await(kafka, in);
        assertThat(again.hasFailed()).isFalse();
      }
      assertThat(second.hasFailed()).isFalse();
    }
    kafka.assertOnce(in, out);
  }

  /** Returns the second instance, which has taken over from the first. */
  private TestApplication joinAndLeave(String in, String out, int standbys) throws Exception {
    try (TestApplication first = start("first", in, out, standbys)) {
      first.await(kafka, in);
      TestApplication second = start("second", in, out, standbys);
      second.awaitRunning();
      kafka.send(in, DeduplicationTest.numbers(0, 2 * PART));
      first.await(kafka, in);
      kafka.send(in, DeduplicationTest.numbers(PART, 3 * PART));
      return second;
    }
  }

  /** The copy that it holds is used, so next to nothing of the changelog is left to read. */
  @Test
  void a_standby_takes_over_without_reading_the_changelog_again() throws Exception {
    String in = kafka.topic("in", 4);
    String out = kafka.topic("out", 4);
    kafka.send(in, DeduplicationTest.numbers(0, PART));
    try (TestApplication second = takeOver(in, out)) {
      kafka.send(in, DeduplicationTest.numbers(0, 2 * PART));
      second.await(kafka, in);
      assertThat(second.restored()).as("of %d entries", PART).isLessThan(PART / 10);
    }
    kafka.assertOnce(in, out);
  }

  private TestApplication takeOver(String in, String out) throws Exception {
    try (TestApplication first = start("first", in, out, 1)) {
      first.await(kafka, in);
      TestApplication second = start("second", in, out, 1);
      second.awaitCopies(4);
      return second;
    }
  }
}
