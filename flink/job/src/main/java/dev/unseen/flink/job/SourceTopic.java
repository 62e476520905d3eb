package dev.unseen.flink.job;

import dev.unseen.KeyForm;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.MessageKey;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/**
 * A topic to read.
 *
 * @param group that offsets are committed as
 * @param key what of a message is its key
 * @param keyForm the same for states
 * @param exitAtEnd whether the job ends after the messages that exist on startup
 */
record SourceTopic(String name, String group, MessageKey key, KeyForm keyForm, boolean exitAtEnd) {
  private static final String DEFAULT_GROUP = "unseen-flink";

  /**
   * Reads and checks the options; returns none if files are read.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  static Optional<SourceTopic> of(GivenOptions given) {
    return given.text("--from").map(name -> of(given, name));
  }

  private static SourceTopic of(GivenOptions given, String name) {
    String key = given.text("--key").orElse("record-value");
    MessageKey source = MessageKey.of(key);
    if (source == MessageKey.RECORD_KEY && given.isGiven("--time")) {
      throw new IllegalArgumentException(
          "--time names a field of JSON values, and with --key record-key values are not read; leave --time out to use the times of the messages");
    }
    return new SourceTopic(
        name,
        given.text("--group").orElse(DEFAULT_GROUP),
        source,
        form(source, key),
        given.isGiven("--exit-at-end"));
  }

  /**
   * Returns a source that reads from the offsets that the group has committed, or else from the
   * beginning. It has no end, unless the job is to stop at the messages that exist now.
   *
   * @param client settings of Kafka's clients
   */
  @SuppressWarnings("deprecation") // Kafka has a newer type, which the connector does not take yet
  KafkaSource<JobRecord> source(Properties client, GivenOptions records) {
    KafkaSourceBuilder<JobRecord> builder =
        KafkaSource.<JobRecord>builder()
            .setProperties(client)
            .setTopics(name)
            .setGroupId(group)
            .setStartingOffsets(
                OffsetsInitializer.committedOffsets(
                    org.apache.kafka.clients.consumer.OffsetResetStrategy.EARLIEST))
            .setDeserializer(new TopicRecords(key, records));
    return (exitAtEnd ? builder.setBounded(OffsetsInitializer.latest()) : builder).build();
  }

  private static KeyForm form(MessageKey source, String key) {
    return switch (source) {
      case RECORD_KEY -> new KeyForm("bytes", "the key of the message");
      case RECORD_VALUE -> new KeyForm("bytes", "the whole record");
      case FIELDS -> JobOptions.fields(key);
    };
  }
}
