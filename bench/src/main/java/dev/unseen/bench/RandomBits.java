package dev.unseen.bench;

import dev.unseen.bits.Mix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;

/**
 * Random bits, half of them ones, like those of a Bloom filter that holds the number of keys it was
 * made for. Filters that can be written and read are filled in this way, which takes a second
 * instead of a minute.
 */
final class RandomBits extends InputStream {
  private long left;
  private long state = 3;

  private RandomBits(long bytes) {
    this.left = bytes;
  }

  /** Writes a filter. */
  interface Writer {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Returns the bytes that the filter writes before its bits, followed by random bits. The bits
   * must be the last part of what it writes.
   */
  static InputStream insteadOf(Writer filter, long bytesOfBits) throws IOException {
    Head all = new Head();
    filter.writeTo(all);
    int head = Math.toIntExact(all.count - bytesOfBits);
    return new SequenceInputStream(
        new ByteArrayInputStream(all.start.toByteArray(), 0, head), new RandomBits(bytesOfBits));
  }

  /** Returns the number of bytes that a filter writes. */
  static long sizeOf(Writer filter) throws IOException {
    Head all = new Head();
    filter.writeTo(all);
    return all.count;
  }

  private long next() {
    return Mix.mix(state += Mix.GOLDEN);
  }

  @Override
  public int read() {
    return left-- > 0 ? (int) next() & 0xFF : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (left <= 0) {
      return -1;
    }
    int count = (int) Math.min(length, left);
    for (int i = 0; i < count; i += Long.BYTES) {
      long random = next();
      for (int j = i; j < Math.min(count, i + Long.BYTES); j++) {
        bytes[offset + j] = (byte) random;
        random >>>= Byte.SIZE;
      }
    }
    left -= count;
    return count;
  }

  /** Keeps the first bytes and counts all of them. */
  private static final class Head extends OutputStream {
    private static final int KEPT = 64;

    private final ByteArrayOutputStream start = new ByteArrayOutputStream();
    private long count;

    @Override
    public void write(int b) {
      if (count++ < KEPT) {
        start.write(b);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (count < KEPT) {
        start.write(bytes, offset, length);
      }
      count += length;
    }
  }
}
