package dev.unseen.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Packs the headers of a message into bytes, and unpacks them. */
final class Headers {
  private static final int NONE = -1; // the length of a value that is null

  private Headers() {}

  /** Returns the headers in bytes; null if there are none. */
  static byte[] pack(Iterable<Header> headers) {
    int size = 0;
    for (Header header : headers) {
      size += 2 * Integer.BYTES + header.key().getBytes(UTF_8).length + length(header.value());
    }
    if (size == 0) {
      return null;
    }
    ByteBuffer packed = ByteBuffer.allocate(size);
    for (Header header : headers) {
      byte[] name = header.key().getBytes(UTF_8);
      packed.putInt(name.length).put(name);
      packed.putInt(header.value() == null ? NONE : header.value().length);
      if (header.value() != null) {
        packed.put(header.value());
      }
    }
    return packed.array();
  }

  private static int length(byte[] value) {
    return value == null ? 0 : value.length;
  }

  /** Returns the headers that {@link #pack} has packed. */
  static RecordHeaders unpack(byte[] packed) {
    RecordHeaders headers = new RecordHeaders();
    if (packed == null) {
      return headers;
    }
    ByteBuffer from = ByteBuffer.wrap(packed);
    while (from.hasRemaining()) {
      String name = new String(take(from, from.getInt()), UTF_8);
      int length = from.getInt();
      headers.add(name, length == NONE ? null : take(from, length));
    }
    return headers;
  }

  private static byte[] take(ByteBuffer from, int length) {
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }
}
