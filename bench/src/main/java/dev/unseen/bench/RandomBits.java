package dev.unseen.bench;

import dev.unseen.hash.Mix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;

/**
 * Random bits, half of them ones: what a Bloom filter holds that has as many keys as it is made
 * for. Filters that can be written and read get them that way, which takes a second where their
 * keys would take a minute.
 */
final class RandomBits extends InputStream {
  private long left;
  private long state = 3;

  private RandomBits(long bytes) {
    this.left = bytes;
  }

  /** Something that writes a filter. */
  interface Writer {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * What the filter writes before its bits, which are the last thing it writes, and random bits.
   */
  static InputStream insteadOf(Writer filter, long bytesOfBits) throws IOException {
    Head all = new Head();
    filter.writeTo(all);
    int head = Math.toIntExact(all.count - bytesOfBits);
    return new SequenceInputStream(
        new ByteArrayInputStream(all.start.toByteArray(), 0, head), new RandomBits(bytesOfBits));
  }

  /** The bytes that a filter writes. */
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

  /** Keeps the first bytes and counts all. */
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
