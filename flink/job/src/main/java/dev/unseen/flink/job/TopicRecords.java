package dev.unseen.flink.job;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.MessageKey;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.JsonKey;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Makes records of messages. What is compared is the key of the message, fields of its JSON value,
 * or its value as a whole.
 */
final class TopicRecords implements KafkaRecordDeserializationSchema<JobRecord> {
  private static final long serialVersionUID = 1;

  private final MessageKey key;
  private final GivenOptions options;
  private final boolean hasTime; // whether a field of the value is the time
  private transient JsonKey json;

  /**
   * Creates records by these options.
   *
   * @throws IllegalArgumentException if they contradict each other
   */
  TopicRecords(MessageKey key, GivenOptions options) {
    this.key = key;
    this.options = options;
    this.hasTime = options.isGiven("--time");
    if (needsJson()) {
      json = json(); // rejects an invalid path
    }
  }

  private boolean needsJson() {
    return key == MessageKey.FIELDS || hasTime;
  }

  private JsonKey json() {
    return new JsonKey(RecordOptions.of(options).spec());
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<JobRecord> out) {
    JobRecord record = record(message);
    record.partition = message.partition();
    record.offset = message.offset();
    record.messageKey = message.key();
    record.messageTime = message.timestamp();
    Header[] headers = message.headers().toArray();
    if (headers.length > 0) {
      record.headerNames = Stream.of(headers).map(Header::key).toArray(String[]::new);
      record.headerValues = Stream.of(headers).map(Header::value).toArray(byte[][]::new);
    }
    if (record.trouble != null) {
      record.trouble =
          "topic %s, partition %d, offset %d: %s"
              .formatted(message.topic(), message.partition(), message.offset(), record.trouble);
    }
    out.collect(record);
  }

  private JobRecord record(ConsumerRecord<byte[], byte[]> message) {
    if (key == MessageKey.RECORD_KEY) {
      return message.key() == null
          ? bad(message, "the message has no key")
          : JobRecord.of(message.value(), message.key(), message.timestamp());
    }
    if (message.value() == null) {
      return bad(message, "the message has no value");
    }
    if (!needsJson()) {
      return JobRecord.of(message.value(), message.value(), message.timestamp());
    }
    if (json == null) {
      json = json();
    }
    if (!json.find(message.value())) {
      return bad(message, json.trouble());
    }
    byte[] found = Arrays.copyOfRange(json.buffer(), json.offset(), json.offset() + json.length());
    long time = hasTime ? json.time() : message.timestamp();
    return JobRecord.of(message.value(), found, time);
  }

  private static JobRecord bad(ConsumerRecord<byte[], byte[]> message, String trouble) {
    JobRecord record = JobRecord.bad(message.value(), trouble);
    record.time = message.timestamp();
    return record;
  }

  @Override
  public TypeInformation<JobRecord> getProducedType() {
    return JobRecord.TYPE;
  }
}
