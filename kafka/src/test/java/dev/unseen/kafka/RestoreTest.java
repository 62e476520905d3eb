package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import dev.unseen.filter.Window;
import dev.unseen.snapshot.StateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application knows after it was stopped and started again. */
class RestoreTest {
  private static final int KEYS = 5000;

  private final TestKafka kafka = TestKafka.shared();
  private final String id = TestKafka.name("app");
  @TempDir private Path state;
  private String in;
  private String out;

  @BeforeEach
  void create() throws Exception {
    Map<String, String> anyTime = Map.of("message.timestamp.after.max.ms", "9223372036854775807");
    in = kafka.topic("in", 2, anyTime);
    out = kafka.topic("out", 2, anyTime);
  }

  /** Runs until all of the input is processed; returns how many entries were restored. */
  private long run(Supplier<TopicDeduplication<byte[], byte[]>> deduplication, String directory)
      throws Exception {
    try (TestApplication application =
        TestApplication.start(
            TestApplication.once(in, out, deduplication.get()),
            TestApplication.config(kafka.address(), id, state.resolve(directory), Map.of()))) {
      application.await(kafka, in);
      return application.restored();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> changelog() throws Exception {
    return kafka.read(id + "-unseen-changelog");
  }

  @Test
  void a_restart_without_local_files_knows_all_keys() throws Exception {
    Supplier<TopicDeduplication<byte[], byte[]>> deduplication =
        () -> TestApplication.byKey(Memory.MiB(2));
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    run(deduplication, "first");

    kafka.send(in, DeduplicationTest.numbers(0, KEYS + 100));
    long restored = run(deduplication, "second");

    assertThat(restored).isGreaterThanOrEqualTo(KEYS);
    kafka.assertOnce(in, out);
  }

  @Test
  void the_changelog_holds_what_was_admitted_and_a_head_for_each_start() throws Exception {
    kafka.send(in, DeduplicationTest.numbers(0, KEYS), 1_700_000_000_123L);
    kafka.send(in, DeduplicationTest.numbers(0, KEYS), 1_700_000_000_123L);
    run(
        () -> TestApplication.byKey(Memory.MiB(2)).window(Window.time(Duration.ofHours(1))),
        "first");

    List<ConsumerRecord<byte[], byte[]>> records = changelog();
    List<ConsumerRecord<byte[], byte[]>> heads =
        records.stream().filter(record -> ChangelogFormat.isHead(record.key())).toList();
    assertThat(heads).hasSize(2);
    assertThat(heads.stream().map(ConsumerRecord::offset)).containsOnly(0L);
    assertThat(records).hasSize(KEYS + 2);
    assertThat(records.stream().filter(record -> !heads.contains(record)))
        .allMatch(record -> ChangelogFormat.isEntry(record.key(), record.value()))
        .allMatch(record -> ChangelogFormat.number(record.value()) == 1_700_000_000_123L)
        .allMatch(record -> record.headers().toArray().length == 0);
    assertKeptLongerThanTheWindow();
  }

  /** It counts from when an entry is written: the records above are years old. */
  private void assertKeptLongerThanTheWindow() throws Exception {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, id + "-unseen-changelog");
    Config config = kafka.admin().describeConfigs(List.of(topic)).all().get().get(topic);
    assertThat(config.get("cleanup.policy").value()).isEqualTo("delete");
    assertThat(config.get("message.timestamp.type").value()).isEqualTo("LogAppendTime");
    assertThat(config.get("retention.ms").value())
        .as("the window, the lateness and a day")
        .isEqualTo(Long.toString(Duration.ofHours(26).toMillis()));
  }

  /** A clock that is days ahead is believed neither now nor after a restart. */
  @Test
  void the_changelog_holds_the_times_that_were_accepted() throws Exception {
    long now = System.currentTimeMillis();
    kafka.send(in, List.of("a"), now);
    kafka.send(in, List.of("a1", "a2", "a3"), now + Duration.ofDays(3).toMillis());
    kafka.send(in, List.of("b", "b1", "b2"), now - Duration.ofHours(3).toMillis());
    run(
        () -> TestApplication.byKey(Memory.MiB(2)).window(Window.time(Duration.ofHours(8))),
        "first");

    assertThat(changelog().stream().filter(record -> !ChangelogFormat.isHead(record.key())))
        .as("records that could not be checked are not remembered")
        .hasSize(4)
        .allMatch(record -> ChangelogFormat.number(record.value()) <= now);
  }

  /** A key that comes again and again stays known, though it was let through long ago. */
  @Test
  void duplicates_that_make_their_key_newer_are_known_after_a_restart() throws Exception {
    Supplier<TopicDeduplication<byte[], byte[]>> deduplication =
        () -> TestApplication.byKey(Memory.MiB(2)).window(Window.time(Duration.ofHours(8)));
    long hour = Duration.ofHours(1).toMillis();
    long start = (System.currentTimeMillis() / (8 * hour) - 4) * 8 * hour;
    List<String> keys = DeduplicationTest.numbers(0, 100);
    for (int hours : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
      kafka.send(in, keys, start + hours * hour);
    }
    run(deduplication, "first");
    long entries = changelog().stream().filter(record -> record.key().length == 8).count();

    kafka.send(in, keys, start + 16 * hour);
    run(deduplication, "second");

    assertThat(kafka.texts(out)).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(entries).as("at 0, 4, 8 and 12 hours").isEqualTo(4 * 100);
  }

  private static TopicDeduplication<byte[], byte[]> saving() {
    return TestApplication.byKey(Memory.MiB(2)).snapshotEvery(Duration.ofMinutes(5));
  }

  private List<Path> snapshots(String directory) throws Exception {
    try (Stream<Path> files = Files.walk(state.resolve(directory))) {
      return files.filter(file -> file.toString().endsWith(".uns")).toList();
    }
  }

  @Test
  void after_a_clean_stop_a_snapshot_leaves_nothing_to_restore() throws Exception {
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    run(RestoreTest::saving, "first");
    long admitted = 0;
    for (Path file : snapshots("first")) {
      admitted += StateFile.read(file).admitted();
    }
    assertThat(admitted).as("in states that all of Unseen reads").isEqualTo(KEYS);

    kafka.send(in, DeduplicationTest.numbers(0, KEYS + 100));
    assertThat(run(RestoreTest::saving, "first")).as("restored").isZero();

    kafka.assertOnce(in, out);
  }

  @Test
  void a_damaged_snapshot_is_left_aside_and_the_changelog_read() throws Exception {
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    run(RestoreTest::saving, "first");
    for (Path file : snapshots("first")) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }

    kafka.send(in, DeduplicationTest.numbers(0, KEYS + 100));
    assertThat(run(RestoreTest::saving, "first")).as("restored").isGreaterThanOrEqualTo(KEYS);

    kafka.assertOnce(in, out);
  }

  @Test
  void snapshots_can_be_turned_on_and_off() throws Exception {
    kafka.send(in, DeduplicationTest.numbers(0, KEYS));
    run(() -> TestApplication.byKey(Memory.MiB(2)), "first");
    kafka.send(in, DeduplicationTest.numbers(0, KEYS + 100));
    run(RestoreTest::saving, "first");
    kafka.send(in, DeduplicationTest.numbers(0, KEYS + 200));
    run(() -> TestApplication.byKey(Memory.MiB(2)), "first");

    kafka.assertOnce(in, out);
  }
}
