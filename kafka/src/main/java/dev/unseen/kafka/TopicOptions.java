package dev.unseen.kafka;

import dev.unseen.GateConfig;
import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.KafkaCluster;
import dev.unseen.hash.Hash64;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What the command line asks for, checked as far as it can be without a broker.
 *
 * @param client settings of Kafka's clients
 * @param filter the options of the filters of all partitions together
 * @param patience how long to wait for brokers that do not answer
 */
record TopicOptions(
    Topics topics,
    KeyOptions keys,
    Properties client,
    GateConfig filter,
    Optional<Duration> snapshotEvery,
    Optional<String> stateDirectory,
    int threads,
    Duration patience,
    boolean exitAtEnd,
    Optional<String> metricsPort,
    boolean quiet) {
  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_THREADS = 256;

  /** The options of the filter. */
  private static final List<Option<?>> FILTER =
      List.of(
          Option.MEMORY,
          Option.WINDOW,
          Option.MAX_FPR,
          Option.MAX_LATENESS,
          Option.LATE_RECORDS,
          Option.MAX_TIME_AHEAD,
          Option.ON_CHANGE,
          Option.SEED);

  /**
   * Reads and checks the options.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  static TopicOptions of(GivenOptions given) {
    Topics topics = Topics.of(given);
    GateConfig filter = GateArguments.config(given::text, FILTER);
    TopicOptions options =
        new TopicOptions(
            topics,
            KeyOptions.of(given, topics.readsStandardInput()),
            KafkaCluster.settings(given.text("--bootstrap"), given.text("--config")),
            filter.has(Option.MEMORY) ? filter : filter.withText(Option.MEMORY, DEFAULT_MEMORY),
            given.duration("--snapshot-every"),
            given.text("--state-dir"),
            given.number("--threads", MOST_THREADS, 1, "a thread serves several partitions"),
            given.duration("--patience").orElse(DEFAULT_PATIENCE),
            given.isGiven("--exit-at-end"),
            given.text("--metrics-port"),
            given.isGiven("--quiet"));
    options.deduplication().options(); // rejects a window of records
    return options;
  }

  long memory() {
    return filter.get(Option.MEMORY).orElseThrow();
  }

  /** Returns what reads values that are not JSON, if there are any. */
  Optional<ValueDecoder> decoder() {
    return keys.deserializer().map(name -> ValueDecoder.of(name, client));
  }

  /** Returns the deduplication of records whose key was found before. */
  TopicDeduplication<byte[], KeyedRecord> deduplication() {
    TopicDeduplication<byte[], KeyedRecord> deduplication =
        Unseen.deduplicateBy(new FoundKey(keys.form()));
    deduplication.config(filter);
    snapshotEvery.ifPresent(deduplication::snapshotEvery);
    return deduplication;
  }

  /** The key that was found before, in the form that the changelog contains. */
  private record FoundKey(KeyForm form) implements Key<Record<byte[], KeyedRecord>> {
    @Override
    public long hash(Record<byte[], KeyedRecord> record, Hash64 hash) {
      return hash.hash(record.value().key());
    }
  }
}
