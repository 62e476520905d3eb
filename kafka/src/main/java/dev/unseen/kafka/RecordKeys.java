package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.commands.OnError;
import dev.unseen.io.JsonKey;
import java.util.Arrays;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Finds the keys of records, and sends those that have none where the user wants them. */
final class RecordKeys implements Processor<byte[], byte[], byte[], KeyedRecord> {
  /** The headers of a rejected record. */
  static final String REASON = "unseen.reason";

  static final String PLACE = "unseen.place";

  private final KeyOptions options;
  private final boolean hasRejects;
  private final TopicCounts counts;
  private final JsonKey json;
  private ProcessorContext<byte[], KeyedRecord> context;

  RecordKeys(TopicOptions options, TopicCounts counts) {
    this.options = options.keys();
    this.hasRejects = options.topics().rejectsTo().isPresent();
    this.counts = counts;
    this.json = new JsonKey(this.options.fields());
  }

  @Override
  public void init(ProcessorContext<byte[], KeyedRecord> processorContext) {
    context = processorContext;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    byte[] value = record.value();
    int partition = context.recordMetadata().map(RecordMetadata::partition).orElse(0);
    if (value == null) {
      counts.tombstones.increment();
      if (options.passTombstones()) {
        forward(record, null, partition, TopicTopology.TO);
      }
      return;
    }
    byte[] key =
        switch (options.source()) {
          case RECORD_KEY -> record.key();
          case RECORD_VALUE -> value;
          case FIELDS -> json.find(value) ? found() : null;
        };
    if (key == null) {
      reject(record, partition);
    } else {
      forward(record, key, partition, TopicTopology.UNSEEN);
    }
  }

  private byte[] found() {
    return Arrays.copyOfRange(json.buffer(), json.offset(), json.offset() + json.length());
  }

  private void forward(Record<byte[], byte[]> record, byte[] key, int partition, String child) {
    context.forward(record.withValue(new KeyedRecord(record.value(), key, partition)), child);
  }

  private void reject(Record<byte[], byte[]> record, int partition) {
    counts.rejected.increment();
    String reason =
        options.source() == KeyOptions.Source.FIELDS ? json.trouble() : "the record has no key";
    if (options.onError() == OnError.FAIL) {
      throw new RecordRejectedException(
          "%s: %s; choose what happens to such records with --on-error or --rejects-to"
              .formatted(place(context), reason));
    }
    if (hasRejects) {
      record.headers().add(REASON, reason.getBytes(UTF_8));
      record.headers().add(PLACE, place(context).getBytes(UTF_8));
      forward(record, null, partition, TopicTopology.REJECTS);
    } else if (options.onError() == OnError.PASS) {
      forward(record, null, partition, TopicTopology.TO);
    }
  }

  /** Returns where the record that is being processed came from. */
  static String place(ProcessingContext context) {
    return context
        .recordMetadata()
        .map(at -> "%s, partition %d, offset %d".formatted(at.topic(), at.partition(), at.offset()))
        .orElse("a record");
  }
}
