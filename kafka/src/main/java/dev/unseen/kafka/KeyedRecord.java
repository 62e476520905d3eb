package dev.unseen.kafka;

/** The value of a record on its way through the command, with what was found out about it. */
final class KeyedRecord {
  private final byte[] value;
  private final byte[] key;
  private final int partition;
  private final long offset;

  /**
   * Takes what was found out.
   *
   * @param value as it came
   * @param key what makes two records duplicates; null if it is not needed
   * @param partition where it came from, and goes to
   * @param offset where it was in this partition
   */
  KeyedRecord(byte[] value, byte[] key, int partition, long offset) {
    this.value = value;
    this.key = key;
    this.partition = partition;
    this.offset = offset;
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

  long offset() {
    return offset;
  }
}
