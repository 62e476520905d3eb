package dev.unseen.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads eight bytes of an array at once, the first of them as the lowest byte of a word, and looks
 * at all of them together.
 */
final class EightBytes {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** A word whose bytes are all 1. Multiplied with a byte, it is a word of that byte. */
  static final long ONES = 0x0101010101010101L;

  /** The seven low bits of each byte. */
  static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  /** The highest bit of each byte. */
  static final long HIGH_BITS = ~LOW_BITS;

  private EightBytes() {}

  /** Returns the eight bytes from an index on. They must be within the array. */
  static long at(byte[] bytes, int index) {
    return (long) LONG.get(bytes, index);
  }

  /** Returns the same as {@link #at}, with zeros for the bytes after the end of the array. */
  static long upTo(byte[] bytes, int index) {
    if (index <= bytes.length - Long.BYTES) {
      return at(bytes, index);
    }
    long word = 0;
    for (int i = bytes.length - 1; i >= index; i--) {
      word = word << Byte.SIZE | (bytes[i] & 0xFF);
    }
    return word;
  }

  /**
   * Marks, with their highest bits, the bytes of a word that are equal to those of one of three
   * others. Bytes above the first one can be marked by mistake.
   */
  static long equal(long word, long one, long two, long three) {
    long x = word ^ one;
    long y = word ^ two;
    long z = word ^ three;
    return (((x - ONES) & ~x) | ((y - ONES) & ~y) | ((z - ONES) & ~z)) & HIGH_BITS;
  }

  /** Returns the index of the first byte whose highest bit is set; 8 if there is none. */
  static int first(long marked) {
    return Long.numberOfTrailingZeros(marked) >>> 3;
  }

  /** Returns the same as {@link #first(long)}, in two words that follow each other. */
  static int first(long marked, long next) {
    return marked != 0 ? first(marked) : Long.BYTES + first(next);
  }
}
