package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.commands.MessageKey;
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
  private final KeyOptions options;
  private final boolean hasRejects;
  private final TopicCounts counts;
  private final JsonKey json;
  private final ValueDecoder decoder; // null: values are JSON
  private ProcessorContext<byte[], KeyedRecord> context;
  private String undecoded; // why the latest value could not be decoded

  RecordKeys(TopicOptions options, TopicCounts counts) {
    this.options = options.keys();
    this.hasRejects = options.topics().rejectsTo().isPresent();
    this.counts = counts;
    this.json = new JsonKey(this.options.fields());
    this.decoder = options.decoder().orElse(null);
  }

  @Override
  public void init(ProcessorContext<byte[], KeyedRecord> processorContext) {
    context = processorContext;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    byte[] value = record.value();
    if (value == null) {
      counts.tombstones.increment();
      if (options.passTombstones()) {
        forward(record, null, TopicTopology.TO);
      }
      return;
    }
    byte[] key =
        switch (options.source()) {
          case RECORD_KEY -> record.key();
          case RECORD_VALUE -> value;
          case FIELDS -> field(record);
        };
    if (key == null) {
      reject(record);
    } else {
      forward(
          record, key, options.repartition() ? TopicTopology.REPARTITION : TopicTopology.UNSEEN);
    }
  }

  private byte[] field(Record<byte[], byte[]> record) {
    undecoded = null;
    byte[] value = record.value();
    if (decoder != null) {
      try {
        value = decoder.toJson(context.recordMetadata().orElseThrow().topic(), record);
      } catch (ValueDecoder.UnreadableException e) {
        undecoded = e.getMessage();
        return null;
      }
    }
    return json.find(value) ? found() : null;
  }

  private byte[] found() {
    return Arrays.copyOfRange(json.buffer(), json.offset(), json.offset() + json.length());
  }

  private void forward(Record<byte[], byte[]> record, byte[] key, String child) {
    RecordMetadata at = context.recordMetadata().orElseThrow();
    context.forward(
        record.withValue(new KeyedRecord(record.value(), key, at.partition(), at.offset())), child);
  }

  private void reject(Record<byte[], byte[]> record) {
    counts.rejected.increment();
    String reason = reason();
    if (options.onError() == OnError.FAIL) {
      throw new RecordRejectedException(
          "%s: %s; choose what happens to such records with --on-error or --rejects-to"
              .formatted(place(context), reason));
    }
    if (hasRejects) {
      explain(record, reason, place(context));
      forward(record, null, TopicTopology.REJECTS);
    } else if (options.onError() == OnError.PASS) {
      forward(record, null, TopicTopology.TO);
    }
  }

  /** Adds the headers of a rejected record. */
  static void explain(Record<?, ?> record, String reason, String place) {
    record.headers().add("unseen.reason", reason.getBytes(UTF_8));
    record.headers().add("unseen.place", place.getBytes(UTF_8));
  }

  private String reason() {
    if (options.source() != MessageKey.FIELDS) {
      return "the record has no key";
    }
    return undecoded == null ? json.trouble() : undecoded;
  }

  @Override
  public void close() {
    if (decoder != null) {
      decoder.close();
    }
  }

  /** Returns where the record that is being processed came from. */
  static String place(ProcessingContext context) {
    return context
        .recordMetadata()
        .map(at -> place(at.topic(), at.partition(), at.offset()))
        .orElse("a record");
  }

  /** Returns this place as text. */
  static String place(String topic, int partition, long offset) {
    return "%s, partition %d, offset %d".formatted(topic, partition, offset);
  }
}
