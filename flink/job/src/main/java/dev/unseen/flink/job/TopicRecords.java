package dev.unseen.flink.job;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.JsonKey;
import dev.unseen.io.RecordSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Makes records of messages. What is compared is the key of the message, fields of its JSON value,
 * or its value as a whole.
 */
final class TopicRecords implements KafkaRecordDeserializationSchema<JobRecord> {
  private static final long serialVersionUID = 1;

  /** The value of {@code --key} that stands for the key of the message itself. */
  static final String MESSAGE_KEY = "record-key";

  /** The value of {@code --key} that stands for the value as a whole, as if there were none. */
  static final String MESSAGE_VALUE = "record-value";

  private final HashMap<String, String> given;
  private transient JsonKey json;

  /**
   * Takes the options of the shell.
   *
   * @throws IllegalArgumentException if they contradict each other
   */
  TopicRecords(Map<String, String> given) {
    this.given = new HashMap<>(given);
    this.given.remove("--key", MESSAGE_VALUE);
    if (isMessageKey() && given.containsKey("--time")) {
      throw new IllegalArgumentException(
          "--time names a field of JSON values, and with --key record-key values are not read; leave --time out to go by the times of the messages");
    }
    if (needsJson()) {
      json = new JsonKey(spec()); // rejects an invalid path
    }
  }

  private boolean needsJson() {
    boolean fields = given.containsKey("--key") && !isMessageKey();
    return fields || given.containsKey("--time");
  }

  private boolean isMessageKey() {
    return MESSAGE_KEY.equals(given.get("--key"));
  }

  private RecordSpec spec() {
    return RecordOptions.of(new GivenOptions(given)).spec();
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<JobRecord> out) {
    JobRecord record = record(message);
    record.partition = message.partition();
    record.offset = message.offset();
    record.messageKey = message.key();
    record.messageTime = message.timestamp();
    record.headers = Headers.pack(message.headers());
    if (record.trouble != null) {
      record.trouble =
          "topic %s, partition %d, offset %d: %s"
              .formatted(message.topic(), message.partition(), message.offset(), record.trouble);
    }
    out.collect(record);
  }

  private JobRecord record(ConsumerRecord<byte[], byte[]> message) {
    if (isMessageKey()) {
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
      json = new JsonKey(spec());
    }
    if (!json.find(message.value())) {
      return bad(message, json.trouble());
    }
    byte[] key = Arrays.copyOfRange(json.buffer(), json.offset(), json.offset() + json.length());
    long time = given.containsKey("--time") ? json.time() : message.timestamp();
    return JobRecord.of(message.value(), key, time);
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
