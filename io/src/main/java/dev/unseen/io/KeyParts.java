package dev.unseen.io;

import java.util.Arrays;

/**
 * Puts a key together from its parts, which come in any order. A key of one part is that part; in a
 * composite each part has its length before it, so that parts do not flow into each other.
 */
final class KeyParts {
  private static final int UTF8_PER_CHAR = 3;
  private static final int UNSET = -1;

  private final int count;
  private final boolean composite;
  private final Normal normal;
  private byte[] bytes = new byte[1 << 10];
  private int used;
  private int[] starts;
  private int[] ends;
  private int offset;
  private int length;

  /** For keys of so many parts, or, if it is zero, of as many as come. */
  KeyParts(int count) {
    this(count, Normal.NOTHING);
  }

  /** The same, with parts of which not all counts. */
  KeyParts(int count, Normal normal) {
    this.count = count;
    this.normal = normal;
    composite = count != 1;
    starts = new int[Math.max(count, 8)];
    ends = new int[starts.length];
  }

  /** Forgets the last key. */
  void clear() {
    used = 0;
    Arrays.fill(starts, 0, count, UNSET);
  }

  /** How many bytes the parts have so far. */
  int used() {
    return used;
  }

  /** Sets a part to bytes. */
  void setBytes(int part, byte[] from, int start, int end) {
    int size = end - start;
    reserve(size);
    System.arraycopy(from, start, bytes, used, size);
    set(part, used + size);
  }

  /** Sets a part to bytes in which each quote is doubled. */
  void setUnquoted(int part, byte[] from, int start, int end) {
    reserve(end - start);
    int at = used;
    for (int i = start; i < end; i++) {
      bytes[at++] = from[i];
      if (from[i] == '"') {
        i++;
      }
    }
    set(part, at);
  }

  /** Sets a part to chars that each stand for a byte. */
  void setBytes(int part, char[] chars, int from, int size) {
    reserve(size);
    int at = used;
    for (int i = from; i < from + size; i++) {
      bytes[at++] = (byte) chars[i];
    }
    set(part, at);
  }

  /** Sets a part to the UTF-8 of the chars. Surrogates without a partner stay what they are. */
  void setText(int part, char[] chars, int from, int size) {
    reserve(size * UTF8_PER_CHAR);
    int at = used;
    int to = from + size;
    for (int i = from; i < to; i++) {
      char c = chars[i];
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xC0 | c >> 6);
        bytes[at++] = tail(c);
      } else if (i + 1 < to && Character.isSurrogatePair(c, chars[i + 1])) {
        int point = Character.toCodePoint(c, chars[++i]);
        bytes[at++] = (byte) (0xF0 | point >> 18);
        bytes[at++] = tail(point >> 12);
        bytes[at++] = tail(point >> 6);
        bytes[at++] = tail(point);
      } else {
        bytes[at++] = (byte) (0xE0 | c >> 12);
        bytes[at++] = tail(c >> 6);
        bytes[at++] = tail(c);
      }
    }
    set(part, at);
  }

  private static byte tail(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private void set(int part, int end) {
    if (part >= starts.length) {
      starts = Arrays.copyOf(starts, part * 2);
      ends = Arrays.copyOf(ends, part * 2);
    }
    starts[part] = used;
    ends[part] = end;
    used = end;
  }

  /** The first of the parts that was not set, or -1. */
  int missing() {
    for (int part = 0; part < count; part++) {
      if (starts[part] == UNSET) {
        return part;
      }
    }
    return -1;
  }

  /** Makes the key of so many parts. */
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

  /** Tells of the record whose key this is. */
  void tell(int recordEnd, RecordSink sink) throws InputException {
    sink.record(recordEnd, bytes, offset, offset + length);
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
