package dev.unseen.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts at each line end, eight bytes at a time. Only that byte ends a line; all others are just
 * bytes. A last line without it is a line too.
 */
class LineCutter implements RecordCutter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long ONES = 0x0101010101010101L;

  private final byte lineEnd;
  private final long lineEnds;
  private final KeyParts normalised; // null if keys are taken as they are
  private int scanned; // of the line that has not ended
  private long lines;

  LineCutter(byte lineEnd, Normal normal) {
    this.lineEnd = lineEnd;
    this.lineEnds = lineEnd * ONES;
    this.normalised = normal.isNothing() ? null : new KeyParts(1, normal);
  }

  @Override
  public final int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
      throws InputException {
    int start = from;
    int at = from + scanned;
    int lastWord = to - Long.BYTES;
    for (; at <= lastWord; at += Long.BYTES) {
      long hits = hits((long) LONG.get(bytes, at));
      while (hits != 0) {
        int end = at + (Long.numberOfTrailingZeros(hits) >>> 3);
        lines++;
        line(bytes, start, end, end + 1, sink);
        start = end + 1;
        hits &= hits - 1;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == lineEnd) {
        lines++;
        line(bytes, start, at, at + 1, sink);
        start = at + 1;
      }
    }
    if (last && start < to) {
      lines++;
      line(bytes, start, to, to, sink);
      start = to;
    }
    scanned = to - start;
    return start;
  }

  /** The highest bit of each byte that ends a line; no carry runs from one byte into the next. */
  private long hits(long word) {
    long x = word ^ lineEnds;
    return ~(((x & LOW_BITS) + LOW_BITS) | x | LOW_BITS);
  }

  /** A line has been found; {@code next} is behind its end. */
  void line(byte[] bytes, int start, int end, int next, RecordSink sink) throws InputException {
    if (normalised == null) {
      sink.record(next, bytes, start, end);
    } else {
      normalised.clear();
      normalised.setBytes(0, bytes, start, end);
      normalised.finish(1);
      normalised.tell(next, sink);
    }
  }

  /** The lines found so far; the last of them is the one at hand. */
  final long lines() {
    return lines;
  }

  @Override
  public final long line() {
    return lines + 1;
  }
}
