package dev.unseen.bits;

/** Operations on the bits of a word, which maps of lanes are made of. */
public final class BitRank {
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = ONES << 7;

  /** For each byte, the positions of its set bits. */
  private static final byte[] IN_BYTE = new byte[256 * Byte.SIZE];

  static {
    for (int word = 0; word < 256; word++) {
      int found = 0;
      for (byte bit = 0; bit < Byte.SIZE; bit++) {
        if (((word >>> bit) & 1) != 0) {
          IN_BYTE[word * Byte.SIZE + found++] = bit;
        }
      }
    }
  }

  private BitRank() {}

  /** Returns a word in which all bits below this one are set. The bit is at most the 63rd. */
  public static long below(int bit) {
    return (1L << bit) - 1;
  }

  /** Removes this bit from a word. The bits above it move down. */
  public static long without(long word, int bit) {
    return (word & below(bit)) | ((word >>> 1) & ~below(bit));
  }

  /** Inserts a zero into a word at this bit. The bits from there on move up. */
  public static long withZero(long word, int bit) {
    return (word & below(bit)) | ((word & ~below(bit)) << 1);
  }

  /**
   * Returns the position of the set bit with this number, from 0, of which there must be enough.
   */
  public static int select(long word, int number) {
    // Finds the byte first, by the counts of all bytes below it, and then the position in the byte.
    long pairs = word - ((word >>> 1) & 0x5555555555555555L);
    long nibbles = (pairs & 0x3333333333333333L) + ((pairs >>> 2) & 0x3333333333333333L);
    long upTo = ((nibbles + (nibbles >>> 4)) & 0x0F0F0F0F0F0F0F0FL) * ONES; // that byte included
    int shift = Long.bitCount((((number * ONES) | HIGHS) - upTo) & HIGHS) * Byte.SIZE;
    int left = number - (int) (((upTo << Byte.SIZE) >>> shift) & 0xFF);
    return shift + IN_BYTE[(int) ((word >>> shift) & 0xFF) * Byte.SIZE + left];
  }
}
