package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Brokers that tests talk to. One is shared by all tests that do not stop it. */
final class TestKafka implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final String LIMIT = Long.toString(Patience.LIMIT.toMillis());
  private static TestKafka shared;

  private final List<EmbeddedBroker> brokers;
  private final Admin admin;

  private final Map<String, Object> client = new HashMap<>();

  private TestKafka(int count, Map<String, String> settings, Map<String, String> client) {
    brokers = EmbeddedBroker.make(directory(), count, settings);
    startAll();
    this.client.put("default.api.timeout.ms", LIMIT);
    this.client.put("max.block.ms", LIMIT);
    this.client.put("delivery.timeout.ms", LIMIT);
    this.client.putAll(client);
    this.client.put("bootstrap.servers", address());
    admin = Admin.create(this.client);
  }

  /** Returns the broker that all tests share; it ends with the process. */
  static synchronized TestKafka shared() {
    if (shared == null) {
      shared = start();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  /** Starts a broker for one test, which may stop it. */
  static TestKafka start() {
    return start(Map.of(), Map.of());
  }

  /**
   * Starts a broker for one test.
   *
   * @param settings of the broker
   * @param client what clients need to talk to it
   */
  static TestKafka start(Map<String, String> settings, Map<String, String> client) {
    return new TestKafka(1, settings, client);
  }

  /** Starts several brokers, each of which has a copy of all; more than half of them are enough. */
  static TestKafka start(int count) {
    return new TestKafka(count, Map.of(), Map.of());
  }

  private static Path directory() {
    try {
      Files.createDirectories(Path.of("target", "brokers"));
      return Files.createTempDirectory(Path.of("target", "brokers"), "b").toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a name that nothing has yet. */
  static String name(String kind) {
    return kind + NAMES.incrementAndGet();
  }

  EmbeddedBroker broker() {
    return brokers.get(0);
  }

  List<EmbeddedBroker> brokers() {
    return brokers;
  }

  Admin admin() {
    return admin;
  }

  String address() {
    return brokers.stream().map(EmbeddedBroker::address).collect(Collectors.joining(","));
  }

  /** Creates a topic with a new name. */
  String topic(String kind, int partitions) throws Exception {
    return topic(kind, partitions, Map.of());
  }

  String topic(String kind, int partitions, Map<String, String> config) throws Exception {
    String topic = name(kind);
    create(topic, partitions, config);
    return topic;
  }

  void create(String topic, int partitions, Map<String, String> config) throws Exception {
    admin
        .createTopics(
            List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config)))
        .all()
        .get();
    await("a broker to know " + topic)
        .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
        .until(() -> partitions(topic).size() == partitions);
  }

  /**
   * Returns a producer of bytes. It sends one request after the other: after a change of leader the
   * second of two can come first, and the other is then rejected until it expires (KAFKA-15591).
   */
  KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> config = new HashMap<>(client);
    config.put("max.in.flight.requests.per.connection", "1");
    config.put("linger.ms", "5");
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends texts, each of which is a key and, but for a null, its value too. */
  void send(String topic, Collection<String> texts) {
    send(topic, texts, null);
  }

  void send(String topic, Collection<String> texts, Long timestamp) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String text : texts) {
      byte[] bytes = text.getBytes(UTF_8);
      records.add(new ProducerRecord<>(topic, null, timestamp, bytes, bytes));
    }
    sendAll(records);
  }

  void sendAll(List<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      records.forEach(record -> sent.add(producer.send(record)));
    }
    for (Future<RecordMetadata> each : sent) {
      try {
        each.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * Reads all committed records up to the end of what was written. It waits for transactions that
   * are open: one that was committed a moment ago can still be open in some partitions.
   */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) throws Exception {
    List<TopicPartition> partitions = partitions(topic);
    Map<TopicPartition, Long> ends = ends(topic, IsolationLevel.READ_UNCOMMITTED);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    Map<String, Object> config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("fetch.max.wait.ms", "10"); // a consumer that is closed waits for its last fetch
    config.put("auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await("the end of what was written to " + topic)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return partitions.stream()
                    .allMatch(some -> consumer.position(some) >= ends.get(some));
              });
    }
    return records;
  }

  /** Reads the values as texts. */
  List<String> texts(String topic) throws Exception {
    return read(topic).stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  /** Reads the values as texts, by partition. */
  Map<Integer, List<String>> textsByPartition(String topic) throws Exception {
    return read(topic).stream()
        .collect(
            Collectors.groupingBy(
                ConsumerRecord::partition,
                Collectors.mapping(
                    record -> new String(record.value(), UTF_8), Collectors.toList())));
  }

  /** Asserts that a topic holds what another does, but each text of a partition once. */
  void assertOnce(String from, String to) throws Exception {
    Map<Integer, List<String>> expected = textsByPartition(from);
    expected.replaceAll((partition, texts) -> texts.stream().distinct().toList());
    Map<Integer, List<String>> found = textsByPartition(to);
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach(
        (partition, texts) -> {
          List<String> got = found.get(partition);
          assertThat(got).as("partition %d", partition).doesNotHaveDuplicates().isEqualTo(texts);
        });
  }

  private List<TopicPartition> partitions(String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .stream()
        .map(some -> new TopicPartition(topic, some.partition()))
        .toList();
  }

  /** Returns where the committed records of each partition end. */
  private Map<TopicPartition, Long> ends(String topic, IsolationLevel isolation) throws Exception {
    return admin
        .listOffsets(
            partitions(topic).stream()
                .collect(Collectors.toMap(some -> some, some -> OffsetSpec.latest())),
            new ListOffsetsOptions(isolation))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /** Returns the records of a topic that an application has not processed yet. */
  long lag(String application, String topic) throws Exception {
    try {
      var committed =
          admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata().get();
      long lag = 0;
      for (Map.Entry<TopicPartition, Long> end :
          ends(topic, IsolationLevel.READ_COMMITTED).entrySet()) {
        var at = committed.get(end.getKey());
        lag += end.getValue() - (at == null ? 0 : at.offset());
      }
      return lag;
    } catch (ExecutionException e) {
      return Long.MAX_VALUE; // there is no such group yet, or the broker is gone
    }
  }

  /**
   * Ends what a killed process has left behind, so that others need not wait until the brokers do:
   * its membership of the group, and its transactions.
   */
  void forget(String application) throws Exception {
    if (!admin
        .describeConsumerGroups(List.of(application))
        .all()
        .get()
        .get(application)
        .members()
        .isEmpty()) {
      admin
          .removeMembersFromConsumerGroup(application, new RemoveMembersFromConsumerGroupOptions())
          .all()
          .get();
    }
    List<String> open =
        admin.listTransactions().all().get().stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> id.startsWith(application + "-"))
            .toList();
    admin.fenceProducers(open).all().get();
  }

  /**
   * Does something with all brokers at the same time, because each waits for more than half of
   * them.
   */
  private List<CompletableFuture<Void>> atOnce(Consumer<EmbeddedBroker> task) {
    return brokers.stream()
        .map(
            broker ->
                CompletableFuture.runAsync(
                    () -> task.accept(broker), each -> new Thread(each).start()))
        .toList();
  }

  private void startAll() {
    List<CompletableFuture<Void>> starts = atOnce(EmbeddedBroker::start);
    await("all brokers to start").until(() -> starts.stream().allMatch(Future::isDone));
    starts.forEach(CompletableFuture::join);
  }

  /**
   * Stops the brokers. If more than half of them have stopped, the others wait for those for
   * minutes, and end with the process.
   */
  @Override
  public void close() {
    admin.close(Duration.ZERO);
    List<CompletableFuture<Void>> stops = atOnce(EmbeddedBroker::close);
    await("more than half of the brokers to stop")
        .until(() -> stops.stream().filter(Future::isDone).count() > brokers.size() / 2);
  }
}
