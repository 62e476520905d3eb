package dev.unseen.io;

import java.util.Arrays;

/**
 * Puts a key together from its parts, which come in any order. A key of one part is that part; in a
 * composite each part has its length before it, so that parts do not flow into each other.
 */
final class KeyParts {
  /** Stands for the record's time, which is set like a part but is none. */
  static final int TIME = -2;

  private static final int UNSET = -1;

  private final int count;
  private final boolean composite;
  private final KeyNormalization normal;
  private byte[] bytes = new byte[1 << 10];
  private int used;
  private int[] starts;
  private int[] ends;
  private int timeStart;
  private int timeEnd;
  private int offset;
  private int length;

  /** Creates parts for keys that need all of this number of parts; zero for any number of parts. */
  KeyParts(int count, KeyNormalization normal) {
    this(count, count != 1, normal);
  }

  /**
   * Creates parts for keys that need this number of parts, and may have more if they are composite.
   */
  KeyParts(int count, boolean composite, KeyNormalization normal) {
    this.count = count;
    this.normal = normal;
    this.composite = composite;
    starts = new int[Math.max(count, 8)];
    ends = new int[starts.length];
  }

  void clear() {
    used = 0;
    timeStart = UNSET;
    Arrays.fill(starts, 0, count, UNSET);
  }

  void setBytes(int part, byte[] from, int start, int end) {
    int size = end - start;
    reserve(size);
    System.arraycopy(from, start, bytes, used, size);
    set(part, used + size);
  }

  /** Sets a part to bytes in which each quote is doubled. */
  void setUnquoted(int part, byte[] from, int start, int end, byte quote) {
    reserve(end - start);
    int at = used;
    for (int i = start; i < end; i++) {
      bytes[at++] = from[i];
      if (from[i] == quote) {
        i++;
      }
    }
    set(part, at);
  }

  private void set(int part, int end) {
    if (part == TIME) {
      timeStart = used;
      timeEnd = end;
    } else {
      if (part >= starts.length) {
        starts = Arrays.copyOf(starts, part * 2);
        ends = Arrays.copyOf(ends, part * 2);
      }
      starts[part] = used;
      ends[part] = end;
    }
    used = end;
  }

  boolean hasTime() {
    return timeStart != UNSET;
  }

  /**
   * The time that was set, in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if it is not a time
   */
  long time() {
    return EventTime.millis(bytes, timeStart, timeEnd);
  }

  /** Returns the first part that was not set, or -1. */
  int missing() {
    for (int part = 0; part < count; part++) {
      if (starts[part] == UNSET) {
        return part;
      }
    }
    return -1;
  }

  /** Makes the key of its first parts. */
  void finish(int parts) {
    if (!normal.isNothing()) {
      normalise(parts);
    }
    if (!composite) {
      offset = starts[0];
      length = ends[0] - offset;
      return;
    }
    offset = used;
    for (int part = 0; part < parts; part++) {
      int size = ends[part] - starts[part];
      reserve(Integer.BYTES + size);
      for (int shift = 24; shift >= 0; shift -= 8) {
        bytes[used++] = (byte) (size >> shift);
      }
      System.arraycopy(bytes, starts[part], bytes, used, size);
      used += size;
    }
    length = used - offset;
  }

  /** Returns whether the first parts are empty, once the key is made of them. */
  boolean areEmpty(int parts) {
    for (int part = 0; part < parts; part++) {
      if (ends[part] > starts[part]) {
        return false;
      }
    }
    return true;
  }

  private void normalise(int parts) {
    for (int part = 0; part < parts; part++) {
      int start = normal.start(bytes, starts[part], ends[part]);
      int end = normal.end(bytes, start, ends[part]);
      if (normal.ignoreCase()) {
        reserve((end - start) / 2 * 3 + 3);
        ends[part] = normal.fold(bytes, start, end, bytes, used);
        starts[part] = used;
        used = ends[part];
      } else {
        starts[part] = start;
        ends[part] = end;
      }
    }
  }

  /** Reports the record whose key this is. */
  void report(int recordEnd, long time, RecordSink sink) throws InputException {
    sink.record(recordEnd, bytes, offset, offset + length, time);
  }

  private void reserve(int more) {
    if (more > bytes.length - used) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + more));
    }
  }

  byte[] buffer() {
    return bytes;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }
}
