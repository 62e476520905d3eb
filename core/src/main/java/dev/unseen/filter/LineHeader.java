package dev.unseen.filter;

import dev.unseen.bits.Lanes;

/**
 * The header of a line of RECENCY, 16 bits at the end of its last word: the lanes in use, those of
 * the repeated keys, and the level, which is the shape of the line. In a full line, the first is
 * not needed; the head of the ring is there. In a sorted one, the hand is where the second is.
 */
final class LineHeader {
  static final int BITS = 16;

  /** The word of a line that it is in. */
  static final int WORD = Lanes.WORDS - 1;

  /** The level of full lines. */
  static final int FULL = 15;

  private static final int USED_SHIFT = Long.SIZE - BITS;
  private static final int REPEATED_SHIFT = USED_SHIFT + 6;
  private static final int LEVEL_SHIFT = REPEATED_SHIFT + 6;
  private static final int MASK = 63;

  static final long ONE_USED = 1L << USED_SHIFT;
  static final long ONE_REPEATED = 1L << REPEATED_SHIFT;
  static final long ONE_LEVEL = 1L << LEVEL_SHIFT;

  private LineHeader() {}

  /** The lanes in use, or the head of a full line. */
  static int used(long word) {
    return (int) (word >>> USED_SHIFT) & MASK;
  }

  /** The lanes of the repeated keys, or the hand of a sorted line. */
  static int repeated(long word) {
    return (int) (word >>> REPEATED_SHIFT) & MASK;
  }

  static int level(long word) {
    return (int) (word >>> LEVEL_SHIFT);
  }

  static boolean isFull(long word) {
    return word >>> LEVEL_SHIFT == FULL;
  }

  /** Writes the header of a line. */
  static void set(long[] line, int at, int used, int repeated, int level) {
    long rest = line[at + WORD] & (ONE_USED - 1);
    line[at + WORD] = rest + used * ONE_USED + repeated * ONE_REPEATED + level * ONE_LEVEL;
  }
}
