package dev.unseen.io;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads lines: the key is all of the line but its newline. */
final class LineReader implements KeyReader {
  private static final int FIRST_BUFFER_BYTES = 1 << 18;

  private final Source source;
  private final int maxBytes;
  private byte[] buffer;
  private int start;
  private int length;
  private int following; // where the next line starts
  private int limit; // where the bytes end that were read
  private long records;

  LineReader(Source source, int maxBytes) {
    this.source = source;
    this.maxBytes = maxBytes;
    buffer = new byte[Math.min(FIRST_BUFFER_BYTES, maxBytes + 1)];
  }

  @Override
  public boolean next() throws InputException {
    start = following;
    int scanned = 0;
    int newline;
    while ((newline = Newline.find(buffer, start + scanned, limit)) < 0) {
      scanned = limit - start;
      if (!fill()) {
        following = limit;
        length = scanned;
        if (scanned == 0) {
          return false;
        }
        records++; // the last line, without a newline
        return true;
      }
    }
    length = newline - start;
    following = newline + 1;
    records++;
    return true;
  }

  /**
   * Reads more behind the line that has begun. The buffer has room for the longest, and no more.
   */
  private boolean fill() throws InputException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, limit - start);
      limit -= start;
      start = 0;
    }
    if (limit == buffer.length) {
      if (limit > maxBytes) {
        throw new InputException(
            "%s, line %d is longer than %d bytes, the longest that is read; is the file made of lines?"
                .formatted(source.name(), records + 1, maxBytes));
      }
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, maxBytes + 1L));
    }
    int count = source.read(buffer, limit, buffer.length - limit, records);
    limit += Math.max(count, 0);
    return count >= 0;
  }

  @Override
  public byte[] buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return start;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  /** Finds newlines eight bytes at a time. */
  private static final class Newline {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;

    /** The first newline, or -1. */
    static int find(byte[] bytes, int from, int to) {
      int at = from;
      for (; at <= to - Long.BYTES; at += Long.BYTES) {
        long word = (long) LONG.get(bytes, at) ^ NEWLINES; // a newline is now a zero
        long zeros = (word - ONES) & ~word & HIGHS; // its lowest bit is at the first zero
        if (zeros != 0) {
          return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
        }
      }
      for (; at < to; at++) {
        if (bytes[at] == '\n') {
          return at;
        }
      }
      return -1;
    }
  }
}
