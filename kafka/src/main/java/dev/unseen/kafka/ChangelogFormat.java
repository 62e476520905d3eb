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
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The bytes of a changelog.
 *
 * <pre>
 * an entry, for each key that is let through, and for the first duplicate in each half of a window,
 * since it makes its key newer:
 *   key    8 bytes   the hash of the key, big-endian
 *   value  8 bytes   the time at which it counts as seen, milliseconds since 1970, big-endian
 * a head, at each start and from time to time, so that the oldest entry never outlives all heads:
 *   key    6 bytes   "unseen"
 *   value            a state that holds no shard: the spec of the filter, its secret, what keys are
 * </pre>
 */
final class ChangelogFormat {
  static final Bytes HEAD = Bytes.wrap("unseen".getBytes(StandardCharsets.US_ASCII));

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** What the store answers for a duplicate that is to be logged: no entry has such a value. */
  private static final byte[] REFRESH = {};

  /** What the store answers for a record that cannot be checked, and is not logged. */
  private static final byte[] LATE_ADMITTED = {1};

  private static final byte[] LATE_DROPPED = {0};

  private ChangelogFormat() {}

  static byte[] late(boolean admitted) {
    return admitted ? LATE_ADMITTED : LATE_DROPPED;
  }

  static boolean isLate(byte[] answer) {
    return answer.length == LATE_ADMITTED.length;
  }

  static boolean isLateAdmitted(byte[] answer) {
    return Arrays.equals(answer, LATE_ADMITTED);
  }

  static byte[] refresh() {
    return REFRESH;
  }

  static boolean isRefresh(byte[] answer) {
    return answer.length == REFRESH.length;
  }

  static byte[] bytes(long value) {
    byte[] bytes = new byte[Long.BYTES];
    put(value, bytes);
    return bytes;
  }

  static void put(long value, byte[] to) {
    LONG.set(to, 0, value);
  }

  static long number(byte[] bytes) {
    return (long) LONG.get(bytes, 0);
  }

  static boolean isEntry(byte[] key, byte[] value) {
    return key.length == Long.BYTES && value != null && value.length == Long.BYTES;
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
