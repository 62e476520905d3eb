package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The demonstration: a broker in this process, records with duplicates, and a run of the command
 * that removes them while they are produced. At its end all that was delivered is read and counted.
 */
final class Demo {
  private static final String FROM = "clicks";
  private static final String TO = "clicks-once";
  private static final int PARTITIONS = 4;
  private static final int RECORDS = 1_000_000;

  private final GivenOptions given;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * Prepares a demonstration.
   *
   * @throws IllegalArgumentException if the options cannot be
   */
  Demo(GivenOptions given, PrintWriter out, PrintWriter err) {
    this.given = given;
    this.out = out;
    this.err = err;
    for (String option : new String[] {"--bootstrap", "--config", "--from", "--to"}) {
      if (given.isGiven(option)) {
        throw new IllegalArgumentException(
            "--demo has a broker and topics of its own; leave out %s, or --demo".formatted(option));
      }
    }
    TopicOptions unused = asked("localhost:9092", Path.of("state")); // before a broker is started
  }

  int run() throws Exception {
    Path directory = Files.createTempDirectory("unseen-demo");
    try {
      say("starting a broker in this process");
      try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("broker"))) {
        return with(broker.address(), directory.resolve("state"));
      }
    } finally {
      delete(directory);
    }
  }

  private int with(String address, Path state) throws Exception {
    Properties client = new Properties();
    client.put("bootstrap.servers", address);
    TopicOptions asked = asked(address, state);
    try (Cluster cluster = new Cluster(client, asked.patience(), System::nanoTime, this::say)) {
      cluster.create(FROM, PARTITIONS, Map.of());
      cluster.create(TO, PARTITIONS, Map.of());
      say(
          String.format(
              Locale.ROOT, "producing %,d records to '%s', some of them twice", RECORDS, FROM));
      try (DemoRecords records = new DemoRecords(address, FROM, RECORDS)) {
        int code = new TopicRun(asked, err, System::nanoTime, RunStatus.lines(err)).run(records);
        int distinct = records.distinct();
        return code == CliException.OK ? count(cluster, address, distinct) : code;
      }
    }
  }

  private TopicOptions asked(String address, Path state) {
    Map<String, String> values = new HashMap<>(given.values());
    values.remove("--demo");
    values.put("--bootstrap", address);
    values.put("--from", FROM);
    values.put("--to", TO);
    values.putIfAbsent("--key", "id");
    values.putIfAbsent("--window", "24h");
    values.put("--state-dir", state.toString());
    values.put("--exit-at-end", "");
    return TopicOptions.of(new GivenOptions(values));
  }

  /** Reads what was delivered. */
  private int count(Cluster cluster, String address, int distinct) throws Exception {
    Set<String> delivered = new HashSet<>();
    long total = 0;
    Map<TopicPartition, Long> ends = cluster.writtenEnds(TO, PARTITIONS);
    Map<String, Object> config =
        Map.of("bootstrap.servers", address, "isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all = new ArrayList<>(ends.keySet());
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (all.stream().anyMatch(part -> consumer.position(part) < ends.get(part))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          delivered.add(new String(record.key(), UTF_8));
          total++;
        }
      }
    }
    out.printf(Locale.ROOT, "produced             %,11d%n", RECORDS);
    out.printf(Locale.ROOT, "  distinct           %,11d%n", distinct);
    out.printf(Locale.ROOT, "delivered once       %,11d%n", delivered.size());
    out.printf(Locale.ROOT, "  delivered twice    %,11d%n", total - delivered.size());
    out.printf(Locale.ROOT, "  lost by mistake    %,11d%n", distinct - delivered.size());
    out.printf(Locale.ROOT, "duplicates dropped   %,11d%n", RECORDS - total);
    out.flush();
    return CliException.OK;
  }

  private void say(String text) {
    if (!given.isGiven("--quiet")) {
      err.println("unseen: " + text);
      err.flush();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
