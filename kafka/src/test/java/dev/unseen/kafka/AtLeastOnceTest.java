package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Without transactions, a crash parts what belongs together: the offset, the changelog and the
 * output. Each test makes one such state, as a crash leaves it, and shows what the page says of it.
 */
class AtLeastOnceTest {
  private static final int KEYS = 500;

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;
  private String in;

  /** Runs until all is processed; returns what was written. */
  private List<String> run() throws Exception {
    String out = kafka.topic("out", 1);
    try (TestApplication application =
        TestApplication.start(
            TestApplication.once(in, out, TestApplication.byKey(Memory.MiB(1))),
            TestApplication.config(
                kafka.address(), id, state, Map.of("processing.guarantee", "at_least_once")))) {
      application.await(kafka, in);
    }
    return kafka.texts(out);
  }

  /** The offset is committed last, so a crash before leaves it where it was. */
  private void forgetOffset() throws Exception {
    Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
    start.put(new TopicPartition(in, 0), new OffsetAndMetadata(0));
    await("the instance to leave the group")
        .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownMemberIdException)
        .until(() -> kafka.admin().alterConsumerGroupOffsets(id, start).all().get() == null);
  }

  @Test
  void a_record_whose_hash_is_logged_and_whose_output_died_is_lost() throws Exception {
    in = kafka.topic("in", 1);
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    assertThat(run()).hasSize(KEYS);
    forgetOffset();

    assertThat(run()).as("all are duplicates of themselves").isEmpty();
  }

  @Test
  void a_record_whose_output_is_written_and_whose_hash_died_comes_twice() throws Exception {
    in = kafka.topic("in", 1);
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    assertThat(run()).hasSize(KEYS);
    forgetOffset();
    TopicPartition changelog = new TopicPartition(id + "-unseen-changelog", 0);
    kafka.admin().deleteRecords(Map.of(changelog, RecordsToDelete.beforeOffset(-1))).all().get();

    assertThat(run()).as("all come again").hasSize(KEYS);
  }
}
