package dev.unseen.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.kafka.EmbeddedBroker;
import dev.unseen.testing.Patience;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The job over topics of a real broker. */
class TopicsTest {
  private static final int PARTITIONS = 2;
  private static final long TIME = 1_700_000_000_000L;

  private static EmbeddedBroker broker;
  private static Admin admin;

  @TempDir static Path brokerDirectory;
  @TempDir Path directory;

  private final StringWriter err = new StringWriter();
  private String from;
  private String to;
  private String again;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(brokerDirectory);
    admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
  }

  @AfterAll
  static void stop() {
    admin.close(Duration.ZERO);
    broker.close();
  }

  @BeforeEach
  void create_topics(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    from = name + "-in";
    to = name + "-out";
    again = name + "-again";
    admin
        .createTopics(
            Stream.of(from, to, again)
                .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                .toList())
        .all()
        .get();
  }

  private int run(String... args) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--bootstrap",
                broker.address(),
                "--exit-at-end",
                "-m",
                "1M",
                "--parallelism",
                "2"));
    all.addAll(List.of(args));
    return new UnseenFlink()
        .run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            all.toArray(String[]::new));
  }

  private void send(String key, String value, long millis) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      RecordHeaders headers = new RecordHeaders();
      headers.add("from", key.getBytes(UTF_8)).add("none", null);
      producer
          .send(
              new ProducerRecord<>(from, null, millis, key.getBytes(UTF_8), bytes(value), headers))
          .get();
    }
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  /**
   * Reads what is committed, up to the end of what was written: a broker says that a transaction is
   * committed before each partition knows, and until then its records are hidden.
   */
  private static List<ConsumerRecord<byte[], byte[]>> read(String topic) throws Exception {
    List<TopicPartition> all =
        Stream.of(0, 1).map(partition -> new TopicPartition(topic, partition)).toList();
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        admin
            .listOffsets(all.stream().collect(toMap(one -> one, one -> OffsetSpec.latest())))
            .all()
            .get();
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            broker.address(),
            "isolation.level",
            "read_committed",
            "fetch.max.wait.ms",
            "10");
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Patience.await("the end of the transactions in " + topic)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return all.stream()
                    .allMatch(one -> consumer.position(one) >= ends.get(one).offset());
              });
    }
    return records;
  }

  private static List<String> values(String topic) throws Exception {
    return read(topic).stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  @Test
  void each_key_comes_once_with_all_that_its_message_had() throws Exception {
    for (int i = 0; i < 60; i++) {
      send("k" + i, "{\"id\":%d}".formatted(i % 40), TIME + i);
    }
    String checkpoints = directory.resolve("checkpoints").toString();
    int code =
        run(
            "--from",
            from,
            "--to",
            to,
            "--duplicates-to",
            again,
            "-k",
            "id",
            "--window",
            "1h",
            "--checkpoints",
            checkpoints);
    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString()).contains("unseen: 60 records, 40 new, 20 duplicates");
    List<ConsumerRecord<byte[], byte[]>> once = read(to);
    assertThat(once).hasSize(40);
    assertThat(once.stream().map(record -> new String(record.value(), UTF_8)))
        .doesNotHaveDuplicates();
    for (ConsumerRecord<byte[], byte[]> record : once) {
      String key = new String(record.key(), UTF_8);
      assertThat(record.timestamp()).isEqualTo(TIME + Long.parseLong(key.substring(1)));
      assertThat(record.headers().lastHeader("from").value()).isEqualTo(record.key());
      assertThat(record.headers().lastHeader("none").value()).isNull();
    }
    assertThat(values(again)).hasSize(20);
    assertThat(run("--from", from, "--to", to, "-k", "id", "--group", "unseen-flink"))
        .as("the group continues after what it has read")
        .isZero();
    assertThat(err.toString()).contains("unseen: 0 records");
    assertThat(read(to)).hasSize(40);
  }

  @Test
  void keys_of_messages_can_be_compared_and_files_written() throws Exception {
    send("a", "1", TIME);
    send("b", "2", TIME);
    send("a", "3", TIME + 2 * 3_600_000L);
    send("b", null, TIME + 1);
    Path out = directory.resolve("out");
    assertThat(run("--from", from, "-o", out.toString(), "-k", "record-key", "--window", "1h"))
        .as(err.toString())
        .isZero();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines).as("3 comes after the window").containsExactlyInAnyOrder("1", "2", "3");
  }

  @Test
  void the_group_goes_on_behind_what_it_has_read_without_checkpoints_too() throws Exception {
    for (int i = 0; i < 20; i++) {
      send("k" + i, "v" + i, TIME + i);
    }
    assertThat(run("--from", from, "--to", to, "--group", "on")).as(err.toString()).isZero();
    send("k", "later", TIME);
    assertThat(run("--from", from, "--to", to, "--group", "on")).as(err.toString()).isZero();
    assertThat(err.toString()).contains("unseen: 20 records, 20 new", "unseen: 1 record, 1 new");
    assertThat(values(to)).hasSize(21).contains("later");
    assertThat(run("--from", from, "--to", to, "--group", "on")).as(err.toString()).isZero();
    assertThat(err.toString()).contains("unseen: 0 records");
  }

  @Test
  void a_group_that_others_read_as_is_told() throws Exception {
    send("k", "v", TIME);
    Map<String, Object> config = Map.of("bootstrap.servers", broker.address(), "group.id", "busy");
    try (KafkaConsumer<byte[], byte[]> other =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      other.subscribe(List.of(again));
      Patience.await("the other to read as the group")
          .until(
              () -> {
                other.poll(Duration.ofMillis(100));
                return !other.assignment().isEmpty();
              });
      assertThat(run("--from", from, "--to", to, "--group", "busy")).isEqualTo(1);
    }
    assertThat(err.toString())
        .contains("all records are written")
        .contains("offsets of the group 'busy' could not be committed")
        .contains("other programs read as this group; name another with --group");
    assertThat(values(to)).containsExactly("v");
  }

  @Test
  void messages_that_cannot_be_used_are_told_or_counted() throws Exception {
    send("a", "{\"id\":1}", TIME);
    send("b", "{\"id\":", TIME);
    send("c", null, TIME);
    assertThat(run("--from", from, "--to", to, "-k", "id", "--group", "strict")).isEqualTo(1);
    assertThat(err.toString())
        .contains("topic " + from)
        .contains("offset")
        .contains("--on-error skip");
    assertThat(run("--from", from, "--to", to, "-k", "id", "--group", "g", "--on-error", "skip"))
        .as(err.toString())
        .isZero();
    assertThat(err.toString()).contains("1 record, 1 new, 0 duplicates, 2 that could not be used");
    assertThat(values(to)).contains("{\"id\":1}");
  }

  @Test
  void what_is_not_there_is_told_before_anything_runs() {
    assertThat(run("--from", "nowhere", "--to", to)).isEqualTo(2);
    assertThat(err.toString()).contains("there is no topic 'nowhere' at " + broker.address());
    assertThat(run("--from", from, "--to", to, "--config", "none.properties")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot read the settings 'none.properties'");
    assertThat(run("--from", from, "--to", to, "-k", "record-key", "--time", "t")).isEqualTo(2);
    assertThat(err.toString()).contains("with --key record-key values are not read");
    assertThat(run("-i", "x", "--from", from, "--to", to)).isEqualTo(2);
    assertThat(err.toString()).contains("name either --input FILE or --from TOPIC, not both");
  }
}
