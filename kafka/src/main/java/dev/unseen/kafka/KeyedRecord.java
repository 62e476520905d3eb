package dev.unseen.kafka;

/**
 * The value of a record on its way through the command, with what was found out about it.
 *
 * @param value as it came
 * @param key what makes two records duplicates; null if it is not needed
 * @param partition where it came from, and goes to
 * @param offset where it was in this partition
 */
@SuppressWarnings("ArrayRecordComponent") // it is never compared
record KeyedRecord(byte[] value, byte[] key, int partition, long offset) {}
