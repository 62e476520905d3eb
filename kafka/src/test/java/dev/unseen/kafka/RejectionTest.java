package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Keys;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a stream is not started with, and what is said of it. */
class RejectionTest {
  private static final long MIB = Memory.MiB(1);

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;

  private TestApplication start(String in, String out, TopicDeduplication<byte[], byte[]> wanted) {
    return TestApplication.start(
        TestApplication.once(in, out, wanted),
        TestApplication.config(kafka.address(), id, state, Map.of()));
  }

  private static void assertRejected(TestApplication application, String... words)
      throws Exception {
    Throwable failure = application.failure();
    while (!(failure instanceof DeduplicationRejectedException)) {
      assertThat(failure).as("a rejection").isNotNull();
      failure = failure.getCause();
    }
    assertThat(failure).hasMessageContainingAll(words);
  }

  @Test
  void a_changelog_that_forgets_sooner_than_the_window_is_rejected() throws Exception {
    String in = kafka.topic("in", 1);
    String changelog = id + "-unseen-changelog";
    kafka.create(changelog, 1, Map.of("cleanup.policy", "delete", "retention.ms", "3600000"));

    try (TestApplication application =
        start(
            in,
            kafka.topic("out", 1),
            TestApplication.byKey(Memory.MiB(1)).window(Window.time(Duration.ofHours(24))))) {
      assertRejected(
          application,
          changelog + " keeps its entries for 1h (retention.ms=3600000), and the window is 24h",
          "kafka-configs --alter --entity-type topics --entity-name " + changelog,
          "retention.ms=172800000");
    }
  }

  @Test
  void an_application_id_in_use_with_another_filter_is_rejected() throws Exception {
    String in = kafka.topic("in", 2);
    String out = kafka.topic("out", 2);
    kafka.send(in, List.of("a", "b", "c", "d"));
    try (TestApplication first = start(in, out, TestApplication.byKey(Memory.MiB(2)))) {
      first.await(kafka, in);
    }

    try (TestApplication other = start(in, out, TestApplication.byKey(Memory.MiB(4)))) {
      assertRejected(
          other,
          "of " + id + "-unseen-changelog was written with other options",
          "memory: 1,048,576 and 2,097,152 bytes",
          "start with an empty filter",
          "one of 2 partitions");
    }
  }

  @Test
  void keys_of_another_type_are_rejected() throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    kafka.send(in, List.of("1", "2"));
    try (TestApplication first =
        start(in, out, Unseen.deduplicate((byte[] key, byte[] value) -> text(key)).memory(MIB))) {
      first.await(kafka, in);
    }

    try (TestApplication declared =
        start(in, out, Unseen.deduplicateBy(Keys.longs(RejectionTest::number)).memory(MIB))) {
      assertRejected(declared, "key: keys of bytes and keys of number"); // before any record
    }
    kafka.forget(id); // it has not left its group

    kafka.send(in, List.of("1"));
    try (TestApplication mapped =
        start(
            in,
            out,
            Unseen.deduplicate((byte[] key, byte[] value) -> Long.valueOf(text(key)))
                .memory(MIB))) {
      assertRejected(
          mapped,
          id + "-unseen-changelog has keys of bytes, and the stream has keys of number",
          "start with an empty filter");
    }
    kafka.forget(id);

    try (TestApplication same =
        start(in, out, Unseen.deduplicate((byte[] key, byte[] value) -> key).memory(MIB))) {
      same.await(kafka, in);
    }
    assertThat(kafka.texts(out)).as("bytes are as good as a text").containsExactly("1", "2");
  }

  private static String text(byte[] key) {
    return new String(key, UTF_8);
  }

  private static long number(Record<byte[], byte[]> record) {
    return Long.parseLong(text(record.key()));
  }

  /** What the message above advises does what it says: no offset is lost, and all keys are. */
  @Test
  void with_its_changelog_deleted_another_filter_continues_at_the_committed_offsets()
      throws Exception {
    String in = kafka.topic("in", 1);
    String out = kafka.topic("out", 1);
    kafka.send(in, List.of("a", "b"));
    try (TestApplication first = start(in, out, TestApplication.byKey(Memory.MiB(1)))) {
      first.await(kafka, in);
    }

    kafka.admin().deleteTopics(List.of(id + "-unseen-changelog")).all().get();
    kafka.send(in, List.of("a", "c", "a"));
    try (TestApplication other = start(in, out, TestApplication.byKey(Memory.MiB(2)))) {
      other.await(kafka, in);
    }

    assertThat(kafka.texts(out)).containsExactly("a", "b", "a", "c");
  }
}
