package dev.unseen.kafka;

import dev.unseen.commands.IoMessages;
import dev.unseen.testing.Patience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** An instance of an application that tests start and stop. */
final class TestApplication implements AutoCloseable {
  private final KafkaStreams streams;
  private final String id;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private long restored;

  private TestApplication(Topology topology, Properties config) {
    streams = new KafkaStreams(topology, config);
    id = config.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
    streams.setUncaughtExceptionHandler(
        e -> {
          if (IoMessages.cause(e, InvalidTxnStateException.class).isPresent()) {
            return StreamThreadExceptionResponse.REPLACE_THREAD;
          }
          failure.complete(e);
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.setGlobalStateRestoreListener(
        new StateRestoreListener() {
          @Override
          public void onRestoreStart(
              org.apache.kafka.common.TopicPartition at, String store, long start, long end) {}

          @Override
          public void onBatchRestored(
              org.apache.kafka.common.TopicPartition at, String store, long end, long count) {}

          @Override
          public void onRestoreEnd(
              org.apache.kafka.common.TopicPartition at, String store, long total) {
            synchronized (TestApplication.this) {
              restored += total;
            }
          }
        });
  }

  static TestApplication start(Topology topology, Properties config) {
    TestApplication application = new TestApplication(topology, config);
    application.streams.start();
    return application;
  }

  /** Returns a topology that writes each text of a topic once. */
  static Topology once(String from, String to, TopicDeduplication<byte[], byte[]> deduplication) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<byte[], byte[]>stream(from).process(deduplication).to(to);
    return builder.build();
  }

  /** Returns a deduplication of texts by the keys of their records. */
  static TopicDeduplication<byte[], byte[]> byKey(long memory) {
    return Unseen.deduplicate((byte[] key, byte[] value) -> key).memory(memory);
  }

  static Properties config(String address, String application, Path state, Map<String, ?> more) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(
        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArray().getClass().getName());
    config.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArray().getClass().getName());
    config.put("auto.offset.reset", "earliest");
    config.put("commit.interval.ms", 50);
    config.put("poll.ms", 10); // 100 of Kafka's milliseconds here and there are most of a test
    config.put("retry.backoff.ms", 10);
    config.put("fetch.max.wait.ms", 10);
    config.put("heartbeat.interval.ms", 100); // by which members learn of a rebalance
    config.putAll(more);
    return config;
  }

  KafkaStreams streams() {
    return streams;
  }

  /** Returns the entries of changelogs that were read so far. */
  synchronized long restored() {
    return restored;
  }

  /** Waits until one of several applications has failed. */
  static Throwable firstFailure(List<TestApplication> applications) throws Exception {
    CompletableFuture<?>[] failures =
        applications.stream().map(each -> each.failure).toArray(CompletableFuture<?>[]::new);
    return (Throwable)
        CompletableFuture.anyOf(failures).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits for the failure that ends the application. */
  Throwable failure() throws Exception {
    return failure.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  boolean hasFailed() {
    return failure.isDone();
  }

  /** Waits until the application has processed all of a topic. */
  void await(TestKafka kafka, String topic) throws Exception {
    Patience.await("all of " + topic + " to be processed by " + id)
        .failFast(this::requireNoFailure)
        .until(() -> kafka.lag(id, topic) <= 0);
  }

  private void requireNoFailure() {
    if (hasFailed()) {
      throw new AssertionError(id + " has failed", failure.getNow(null));
    }
  }

  /** Waits until all its tasks run. */
  void awaitRunning() {
    Patience.await(id + " to run")
        .failFast(this::requireNoFailure)
        .until(() -> streams.state() == KafkaStreams.State.RUNNING);
  }

  /**
   * Waits until it has so many stores, its own or copies, and none of them is behind. The end of a
   * transaction takes an offset too, which no store reaches.
   */
  void awaitCopies(int stores) {
    Patience.await(id + " to have %d stores that are up to date".formatted(stores))
        .failFast(this::requireNoFailure)
        .until(
            () ->
                streams.allLocalStorePartitionLags().values().stream()
                    .flatMap(partitions -> partitions.values().stream())
                    .toList(),
            lags -> lags.size() == stores && lags.stream().allMatch(lag -> lag.offsetLag() <= 1));
  }

  /** Leaves the group, so that a restart does not wait. */
  @Override
  @SuppressWarnings("deprecation") // Kafka Streams up to 4.1 has no other way
  public void close() {
    streams.close(new KafkaStreams.CloseOptions().timeout(Patience.LIMIT).leaveGroup(true));
  }
}
