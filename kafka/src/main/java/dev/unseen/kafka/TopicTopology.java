package dev.unseen.kafka;

import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
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
 */
final class TopicTopology {
  static final String UNSEEN = "unseen-filter";
  static final String TO = "to";
  static final String REJECTS = "rejects";

  private static final String FROM = "from";
  private static final String KEYS = "keys";
  private static final String ONCE = "once";
  private static final String AGAIN = "again";
  private static final String DUPLICATES = "duplicates";
  private static final String LATE = "late";
  private static final Serializer<KeyedRecord> VALUES =
      (topic, record) -> record == null ? null : record.value();

  private final TopicOptions options;
  private final TopicCounts counts;
  private final Topology topology = new Topology();

  TopicTopology(TopicOptions options, TopicCounts counts) {
    this.options = options;
    this.counts = counts;
  }

  /**
   * Builds it.
   *
   * @param standardOutput for values, if they go there
   */
  Topology build(
      TopicDeduplication<byte[], KeyedRecord> deduplication, OutputStream standardOutput) {
    topology
        .addSource(
            FROM,
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            options.topics().source())
        .addProcessor(KEYS, () -> new RecordKeys(options, counts), FROM)
        .addProcessor(UNSEEN, deduplication.forwardTo(ONCE, AGAIN, LATE), KEYS)
        .addProcessor(ONCE, () -> new Count(counts.once, true), UNSEEN)
        .addProcessor(
            AGAIN,
            () -> new Count(counts.duplicates, options.topics().duplicatesTo().isPresent()),
            UNSEEN)
        .addProcessor(
            LATE, () -> new LateRejects(options.topics().rejectsTo().isPresent(), counts), UNSEEN);
    if (options.topics().writesStandardOutput()) {
      topology.addProcessor(TO, () -> new ValueLines(standardOutput), ONCE, KEYS);
    } else {
      sink(TO, options.topics().to(), ONCE, KEYS);
    }
    options.topics().duplicatesTo().ifPresent(topic -> sink(DUPLICATES, topic, AGAIN));
    options.topics().rejectsTo().ifPresent(topic -> sink(REJECTS, topic, KEYS, LATE));
    return topology;
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
  private static final class Count
      extends ContextualProcessor<byte[], KeyedRecord, byte[], KeyedRecord> {
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
}
