package dev.unseen.kafka;

import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The topology of the command.
 *
 * <pre>
 * from ──▶ keys ──▶ unseen ──▶ once ──▶ to
 *           │ │          ├───▶ again ──▶ duplicates
 *           │ └──▶ to     └───▶ late ──▶ rejects
 *           └──▶ rejects       (to: tombstones)
 * </pre>
 *
 * <p>If records are repartitioned, a topic that is partitioned by the key is between keys and
 * unseen.
 */
final class TopicTopology {
  static final String UNSEEN = "unseen-filter";
  static final String TO = "to";
  static final String REJECTS = "rejects";
  static final String REPARTITION = "repartition";

  /** The name of the topic that is partitioned by the key, to which Kafka Streams adds. */
  static final String REPARTITION_TOPIC = "unseen";

  private static final String FROM = "from";
  private static final String KEYS = "keys";
  private static final String ONCE = "once";
  private static final String AGAIN = "again";
  private static final String DUPLICATES = "duplicates";
  private static final String REPARTITIONED = "repartitioned";
  private static final String LATE = "late";
  private static final Serializer<KeyedRecord> VALUES =
      (topic, record) -> record == null ? null : record.value();

  private final TopicOptions options;
  private final TopicCounts counts;
  private final ProcessorSupplier<byte[], byte[], byte[], KeyedRecord> keys;
  private final Topology topology;

  TopicTopology(TopicOptions options, TopicCounts counts) {
    this.options = options;
    this.counts = counts;
    this.keys = () -> new RecordKeys(options, counts);
    this.topology = options.keys().repartition() ? repartitioned() : new Topology();
  }

  /**
   * Builds it.
   *
   * @param standardOutput for values, if they go there
   */
  Topology build(
      TopicDeduplication<byte[], KeyedRecord> deduplication, OutputStream standardOutput) {
    if (!options.keys().repartition()) {
      topology
          .addSource(
              FROM,
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer(),
              options.topics().source())
          .addProcessor(KEYS, keys, FROM);
    }
    topology
        .addProcessor(
            UNSEEN,
            deduplication.forwardTo(ONCE, AGAIN, LATE),
            options.keys().repartition() ? REPARTITIONED : KEYS)
        .addProcessor(ONCE, () -> new Count(counts.once, true), UNSEEN)
        .addProcessor(
            AGAIN,
            () -> new Count(counts.duplicates, options.topics().duplicatesTo().isPresent()),
            UNSEEN)
        .addProcessor(
            LATE,
            () -> new LateRejects(counts.late, options.topics().rejectsTo().isPresent()),
            UNSEEN);
    if (options.topics().writesStandardOutput()) {
      topology.addProcessor(TO, () -> new ValueLines(standardOutput), ONCE, KEYS);
    } else {
      sink(TO, options.topics().to(), ONCE, KEYS);
    }
    options.topics().duplicatesTo().ifPresent(topic -> sink(DUPLICATES, topic, AGAIN));
    options.topics().rejectsTo().ifPresent(topic -> sink(REJECTS, topic, KEYS, LATE));
    return topology;
  }

  /**
   * Begins with what finds the keys and with a topic that is partitioned by them, which Kafka
   * Streams creates, and from which it deletes what has been processed.
   */
  private Topology repartitioned() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(
            options.topics().source(),
            Consumed.<byte[], byte[]>as(FROM)
                .withKeySerde(Serdes.ByteArray())
                .withValueSerde(Serdes.ByteArray()))
        .process(keys, Named.as(KEYS))
        .process(Envelope.Wrap::new, Named.as(REPARTITION))
        .repartition(
            Repartitioned.<byte[], byte[]>as(REPARTITION_TOPIC)
                .withKeySerde(Serdes.ByteArray())
                .withValueSerde(Serdes.ByteArray()))
        .process(Envelope.Unwrap::new, Named.as(REPARTITIONED));
    return builder.build();
  }

  private void sink(String name, String topic, String... parents) {
    if (options.topics().readsStandardInput()) { // lines have no partition
      topology.addSink(name, topic, new ByteArraySerializer(), VALUES, parents);
    } else {
      StreamPartitioner<byte[], KeyedRecord> same =
          (to, key, record, partitions) -> Optional.of(Set.of(record.partition()));
      topology.addSink(name, topic, new ByteArraySerializer(), VALUES, same, parents);
    }
  }

  /** Counts records on their way. */
  private static class Count extends ContextualProcessor<byte[], KeyedRecord, byte[], KeyedRecord> {
    private final LongAdder count;
    private final boolean forwards;

    Count(LongAdder count, boolean forwards) {
      this.count = count;
      this.forwards = forwards;
    }

    @Override
    public void process(Record<byte[], KeyedRecord> record) {
      count.increment();
      if (forwards) {
        context().forward(record);
      }
    }
  }

  /** Counts records that were too late to check, and says so in their headers. */
  private final class LateRejects extends Count {
    LateRejects(LongAdder count, boolean forwards) {
      super(count, forwards);
    }

    @Override
    public void process(Record<byte[], KeyedRecord> record) {
      String reason =
          "the timestamp of the record, %s, is too late or too far ahead to be checked"
              .formatted(Instant.ofEpochMilli(record.timestamp()));
      KeyedRecord late = record.value();
      RecordKeys.explain(
          record,
          reason,
          RecordKeys.place(options.topics().source(), late.partition(), late.offset()));
      super.process(record);
    }
  }
}
