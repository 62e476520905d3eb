package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Duplicates in different partitions, which are compared by way of a topic. */
class RepartitionTest {
  private final TestKafka kafka = TestKafka.shared();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private int run(String from, String to, String... more) {
    List<String> args = new ArrayList<>(List.of("-b", kafka.address(), "--from", from, "--to", to));
    args.addAll(List.of("--exit-at-end", "--state-dir", directory.toString(), "-m", "1M"));
    args.addAll(List.of(more));
    return new UnseenKafka()
        .run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err, true),
            args.toArray(String[]::new));
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, int partition, long time, String key, String value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            partition,
            time,
            key == null ? null : key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8));
    record.headers().add("trace", ("t" + time).getBytes(UTF_8));
    return record;
  }

  @Test
  void records_of_all_partitions_are_compared_and_keep_all_they_have() throws Exception {
    String in = kafka.topic("in", 3);
    String to = kafka.topic("to", 3);
    String again = kafka.topic("again", 3);
    String rejects = kafka.topic("rejects", 3);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int id = 0; id < 300; id++) { // each once in each partition
      for (int partition = 0; partition < 3; partition++) {
        String key = id % 2 == 0 ? null : "k" + id;
        records.add(record(in, partition, 1 + id, key, "{\"id\":%d}".formatted(id)));
      }
    }
    records.add(record(in, 2, 1, "gone", null));
    records.add(record(in, 1, 2, "k", "{}"));
    kafka.sendAll(records);

    String[] more = {
      "-k", "id", "--repartition", "--duplicates-to", again, "--rejects-to", rejects
    };
    assertThat(run(in, to, more)).as(err.toString()).isZero();

    List<ConsumerRecord<byte[], byte[]>> once = kafka.read(to);
    assertThat(once.stream().filter(record -> record.value() != null))
        .hasSize(300)
        .extracting(record -> new String(record.value(), UTF_8))
        .doesNotHaveDuplicates();
    assertThat(once)
        .allSatisfy(
            record ->
                assertThat(new String(record.headers().lastHeader("trace").value(), UTF_8))
                    .isEqualTo("t" + record.timestamp()));
    assertThat(kafka.read(again)).hasSize(600);
    for (int partition = 0; partition < 3; partition++) { // each record stays in its partition
      int which = partition;
      assertThat(once.stream().filter(r -> r.value() != null && r.partition() == which).count())
          .as("delivered from partition %d", partition)
          .isEqualTo(300 - kafka.read(again).stream().filter(r -> r.partition() == which).count());
    }
    assertThat(once.stream().filter(record -> record.value() == null))
        .satisfiesExactly(record -> assertThat(record.partition()).isEqualTo(2));
    assertThat(kafka.read(rejects))
        .satisfiesExactly(record -> assertThat(record.partition()).isEqualTo(1));
    assertThat(err.toString())
        .contains("902 records, 300 delivered once, 600 duplicates, 1 without a key, 1 tombstone");

    kafka.send(in, List.of("{\"id\":7}", "{\"id\":300}"));
    assertThat(run(in, to, more)).as(err.toString()).isZero();
    assertThat(kafka.read(to)).as("one more: 300").hasSize(302);

    assertThat(run(in, to, "-k", "id")).isEqualTo(3);
    assertThat(err.toString()).contains("'key id, repartitioned' (bytes) and 'key id' (bytes)");
  }

  @Test
  void a_late_record_is_rejected_with_the_place_it_came_from() throws Exception {
    String in = kafka.topic("in", 2);
    String rejects = kafka.topic("rejects", 2);
    long hour = 3_600_000;
    kafka.sendAll(
        List.of(
            record(in, 1, 9 * hour, "a", "first"),
            record(in, 1, 9 * hour, "a", "again"),
            record(in, 1, hour, "a", "late")));
    String[] drop = {"--repartition", "--window", "1h", "--late", "drop", "--rejects-to", rejects};
    assertThat(run(in, kafka.topic("to", 2), drop)).as(err.toString()).isZero();
    assertThat(kafka.read(rejects))
        .satisfiesExactly(
            record ->
                assertThat(new String(record.headers().lastHeader("unseen.place").value(), UTF_8))
                    .isEqualTo(in + ", partition 1, offset 2"));
  }

  @Test
  void a_command_that_is_killed_neither_loses_nor_repeats_a_record() throws Exception {
    String in = kafka.topic("in", 3);
    String to = kafka.topic("to", 3);
    String id = TestKafka.name("repartitioned");
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    int keys = 20_000;
    for (int i = 0; i < 2 * keys; i++) { // each twice, in different partitions
      records.add(record(in, i % 3, 1 + i, null, "{\"id\":%d}".formatted(i % keys)));
    }
    kafka.sendAll(records);
    String[] args = {
      "-b",
      kafka.address(),
      "--from",
      in,
      "--to",
      to,
      "-k",
      "id",
      "--repartition",
      "-m",
      "16M",
      "--application-id",
      id,
      "--state-dir",
      directory.toString()
    };
    Process process = CommandProcess.start(directory.resolve("err").toFile(), args); // endless
    await("some output")
        .failFast("the command has ended", () -> !process.isAlive())
        .until(() -> !kafka.read(to).isEmpty());
    process.destroyForcibly().waitFor();
    kafka.forget(id);
    List<String> untilTheEnd = new ArrayList<>(List.of(args));
    untilTheEnd.add("--exit-at-end");

    assertThat(
            new UnseenKafka()
                .run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(err, true),
                    untilTheEnd.toArray(String[]::new)))
        .as(err.toString())
        .isZero();
    assertThat(kafka.texts(to)).doesNotHaveDuplicates().hasSize(keys);
  }
}
