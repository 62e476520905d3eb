package dev.unseen.commands;

/** What of a message of Kafka is its key. */
public enum MessageKey {
  /** The key of the message. */
  RECORD_KEY,
  /** All bytes of the value. */
  RECORD_VALUE,
  /** Fields of the value. */
  FIELDS;

  /** Returns what the value of {@code --key} names. */
  public static MessageKey of(String key) {
    return switch (key) {
      case "record-key" -> RECORD_KEY;
      case "record-value" -> RECORD_VALUE;
      default -> FIELDS;
    };
  }
}
