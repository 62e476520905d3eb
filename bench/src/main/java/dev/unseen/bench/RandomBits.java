package dev.unseen.bench;

import dev.unseen.bits.Mix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;

/**
 * The bits of a Bloom filter of another library, as it reads them. Random bits, half of them ones,
 * are like those of a filter that holds the number of keys it was made for. Reading them takes a
 * second, and adding the keys a minute.
 */
final class RandomBits extends InputStream {
  private final boolean random; // else all are zero
  private long left;
  private long state = 3;

  private RandomBits(long bytes, boolean random) {
    this.left = bytes;
    this.random = random;
  }

  interface Writer {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Returns a filter of the scenario's memory as it is written: filled if the scenario requires it,
   * otherwise empty.
   *
   * @param small writes a small filter with the same head, which ends with the number of words
   * @param headBytes the size of the head
   */
  static InputStream after(Writer small, int headBytes, Scenario scenario) throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    small.writeTo(written);
    byte[] head = written.toByteArray();
    int words = Math.toIntExact(scenario.memoryBytes() / Long.BYTES);
    ByteBuffer.wrap(head).putInt(headBytes - Integer.BYTES, words);
    return new SequenceInputStream(
        new ByteArrayInputStream(head, 0, headBytes),
        new RandomBits((long) words * Long.BYTES, scenario.steady()));
  }

  @Override
  public int read() {
    byte[] one = new byte[Long.BYTES];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    int count = (int) Math.min(length, left);
    for (int i = 0; i < count; i += Long.BYTES) {
      long word = random ? Mix.mix(state += Mix.GOLDEN) : 0;
      for (int j = i; j < Math.min(count, i + Long.BYTES); j++) {
        bytes[offset + j] = (byte) word;
        word >>>= Byte.SIZE;
      }
    }
    left -= count;
    return count == 0 && length > 0 ? -1 : count;
  }
}
