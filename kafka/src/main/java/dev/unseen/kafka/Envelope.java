package dev.unseen.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Wraps records for the topic that repartitions them: the key is what makes two records duplicates,
 * which Kafka partitions by, and the value is all of the record, so that it can be restored.
 */
/*
 * partition (4 bytes), offset (8), length of the record's key (4; -1: it is null), key, value
 */
final class Envelope {
  private static final int HEAD = Integer.BYTES + Long.BYTES + Integer.BYTES;
  private static final byte[] NONE = {};

  private Envelope() {}

  /** Wraps records. */
  static final class Wrap extends ContextualProcessor<byte[], KeyedRecord, byte[], byte[]> {
    @Override
    public void process(Record<byte[], KeyedRecord> record) {
      KeyedRecord from = record.value();
      byte[] key = record.key() == null ? NONE : record.key();
      byte[] bytes =
          ByteBuffer.allocate(HEAD + key.length + from.value().length)
              .putInt(from.partition())
              .putLong(from.offset())
              .putInt(record.key() == null ? -1 : key.length)
              .put(key)
              .put(from.value())
              .array();
      context().forward(record.withKey(from.key()).withValue(bytes));
    }
  }

  /** Restores records. */
  static final class Unwrap extends ContextualProcessor<byte[], byte[], byte[], KeyedRecord> {
    @Override
    public void process(Record<byte[], byte[]> record) {
      ByteBuffer bytes = ByteBuffer.wrap(record.value());
      int partition = bytes.getInt();
      long offset = bytes.getLong();
      int length = bytes.getInt();
      byte[] key = length < 0 ? null : take(bytes, length);
      byte[] value = take(bytes, bytes.remaining());
      context()
          .forward(
              record
                  .withKey(key)
                  .withValue(new KeyedRecord(value, record.key(), partition, offset)));
    }

    private static byte[] take(ByteBuffer from, int length) {
      byte[] taken = new byte[length];
      from.get(taken);
      return taken;
    }
  }
}
