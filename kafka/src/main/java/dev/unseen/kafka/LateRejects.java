package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Counts records that were too late to check, and sends them to the rejects if there is a topic.
 */
final class LateRejects extends ContextualProcessor<byte[], KeyedRecord, byte[], KeyedRecord> {
  private final String topic;
  private final boolean forwards;
  private final TopicCounts counts;

  /**
   * Takes where records come from.
   *
   * @param topic which contains them
   */
  LateRejects(String topic, boolean forwards, TopicCounts counts) {
    this.topic = topic;
    this.forwards = forwards;
    this.counts = counts;
  }

  @Override
  public void process(Record<byte[], KeyedRecord> record) {
    counts.late.increment();
    if (forwards) {
      String reason =
          "the timestamp of the record, %s, is too late or too far ahead to be checked"
              .formatted(Instant.ofEpochMilli(record.timestamp()));
      record.headers().add(RecordKeys.REASON, reason.getBytes(UTF_8));
      KeyedRecord late = record.value();
      String place = RecordKeys.place(topic, late.partition(), late.offset());
      record.headers().add(RecordKeys.PLACE, place.getBytes(UTF_8));
      context().forward(record);
    }
  }
}
