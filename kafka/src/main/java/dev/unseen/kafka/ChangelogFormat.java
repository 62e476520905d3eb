package dev.unseen.kafka;

import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/**
 * The bytes of a changelog.
 *
 * <pre>
 * an entry, for each key that is let through, and for the first duplicate in each half of a window,
 * since it makes its key newer:
 *   key    8 bytes   the hash of the key, big-endian
 *   value  8 bytes   the time at which it counts as seen, milliseconds since 1970, big-endian
 *         12 bytes   without transactions, if it was let through: where its record came from,
 *                    as 4 bytes for the topic and partition, and 8 bytes for the offset
 * a head, at each start and from time to time, so that the oldest entry never outlives all heads:
 *   key    6 bytes   "unseen"
 *   value            a state that holds no shard: the spec of the filter, its secret, what keys are
 * a mark, without transactions, before the first entry after a commit:
 *   key    6 bytes   "commit"
 *   value  12 bytes  for each topic and partition: 4 bytes for these, and 8 bytes for the offset
 *                    below which all records are committed
 * </pre>
 */
final class ChangelogFormat {
  static final Bytes HEAD = Bytes.wrap("unseen".getBytes(StandardCharsets.US_ASCII));
  static final Bytes MARK = Bytes.wrap("commit".getBytes(StandardCharsets.US_ASCII));

  private static final int OFFSET = Integer.BYTES + Long.BYTES;
  private static final int WITH_SOURCE = Long.BYTES + OFFSET;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private ChangelogFormat() {}

  static byte[] bytes(long value) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, value);
    return bytes;
  }

  static long number(byte[] bytes) {
    return (long) LONG.get(bytes, 0);
  }

  /** Returns the value of an entry whose record may have to be recognized. */
  static byte[] timeAndSource(long millis, LoggedRecord record) {
    return ByteBuffer.allocate(WITH_SOURCE)
        .putLong(millis)
        .putInt(record.source())
        .putLong(record.offset())
        .array();
  }

  static boolean isEntry(byte[] key, byte[] value) {
    return key.length == Long.BYTES
        && value != null
        && (value.length == Long.BYTES || value.length == WITH_SOURCE);
  }

  /** Returns whether this is an entry that says where its record came from. */
  static boolean hasSource(byte[] key, byte[] value) {
    return isEntry(key, value) && value.length == WITH_SOURCE;
  }

  /** Returns the record of an entry that says where it came from. */
  static LoggedRecord record(byte[] key, byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value, Long.BYTES, value.length - Long.BYTES);
    return new LoggedRecord(bytes.getInt(), bytes.getLong(), number(key));
  }

  static boolean isMark(byte[] key) {
    return Arrays.equals(key, MARK.get());
  }

  /** Returns the value of a mark. */
  static byte[] bytes(Map<Integer, Long> offsets) {
    ByteBuffer bytes = ByteBuffer.allocate(offsets.size() * OFFSET);
    offsets.forEach((source, offset) -> bytes.putInt(source).putLong(offset));
    return bytes.array();
  }

  /** Returns the offsets of a mark, by source. */
  static Map<Integer, Long> mark(byte[] value) {
    Map<Integer, Long> offsets = new HashMap<>();
    ByteBuffer bytes = ByteBuffer.wrap(value);
    while (bytes.remaining() >= OFFSET) {
      offsets.put(bytes.getInt(), bytes.getLong());
    }
    return offsets;
  }

  static boolean isHead(byte[] key) {
    return Arrays.equals(key, HEAD.get());
  }

  /** Returns the head for a state: all but the keys that it has seen. */
  static byte[] head(Snapshot state) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      empty(state.spec())
          .withMaxFpr(state.maxFpr())
          .withKeyForm(state.keyForm())
          .with(new ClockState(state.clock().basis(), ClockState.NEVER, 0))
          .write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
    return bytes.toByteArray();
  }

  private static Snapshot empty(FilterSpec spec) {
    return Snapshot.of(ShardedFilter.of(spec, new int[0]), 0, 0);
  }

  /** Reads a head. */
  static Snapshot readHead(byte[] value) throws IOException {
    return Snapshot.read(
        Channels.newChannel(new ByteArrayInputStream(value)), "the head of the changelog");
  }
}
