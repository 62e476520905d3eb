package dev.unseen.kafka;

/** The value of a record on its way through the command, with what was found out about it. */
final class KeyedRecord {
  private final byte[] value;
  private final byte[] key;
  private final int partition;

  /**
   * Takes what was found out.
   *
   * @param value as it came
   * @param key what makes two records duplicates; null if it is not needed
   * @param partition where it came from, and goes to
   */
  KeyedRecord(byte[] value, byte[] key, int partition) {
    this.value = value;
    this.key = key;
    this.partition = partition;
  }

  byte[] value() {
    return value;
  }

  byte[] key() {
    return key;
  }

  int partition() {
    return partition;
  }
}
