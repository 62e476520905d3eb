package dev.unseen.flink.job;

import dev.unseen.KeyForm;
import dev.unseen.commands.GivenOptions;
import java.util.Optional;

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

  /** What of a message is its key. */
  enum MessageKey {
    /** The key of the message. */
    RECORD_KEY,
    /** All bytes of the value. */
    RECORD_VALUE,
    /** Fields of the value, which is JSON. */
    FIELDS
  }

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
    MessageKey source =
        switch (key) {
          case "record-key" -> MessageKey.RECORD_KEY;
          case "record-value" -> MessageKey.RECORD_VALUE;
          default -> MessageKey.FIELDS;
        };
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

  private static KeyForm form(MessageKey source, String key) {
    return switch (source) {
      case RECORD_KEY -> new KeyForm("bytes", "the key of the message");
      case RECORD_VALUE -> new KeyForm("bytes", "the whole record");
      case FIELDS -> JobOptions.fields(key);
    };
  }
}
