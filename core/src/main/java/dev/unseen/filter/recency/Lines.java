package dev.unseen.filter.recency;

/**
 * One of the three forms that a line of RECENCY can have. A line starts as a filling line and
 * becomes a full one; a full line may be sorted, and a sorted line put back in order ({@link
 * Forms}).
 *
 * <pre>
 *           lanes                                               header, 16 bits
 * filling   [new keys, latest last][free][repeated, latest last][used 6][repeated 6][level 4]
 * full      [new keys, a ring            ][repeated, latest last][head 6][repeated 6][15     4]
 * sorted    [keys in the order of their fingerprints    ][free][used 6][hand     6][level 4]
 * </pre>
 *
 * The level tells the form. A filling line has the level of its shape: 0 has the fewest and widest
 * lanes. A sorted line has the level after the last shape, and 15 stands for all full lines. The
 * other two numbers of a header are known to the class of its form only.
 *
 * <p>All forms have the same verbs. Each takes the array that holds the line, the first word of the
 * line in it, and the header, which is the last word of the line.
 */
abstract sealed class Lines permits FillingLines, FullLines, SortedLines {
  /** The bits of a header: the highest ones of the last word of a line. */
  static final int HEADER_BITS = 16;

  /** The word of a line that its header is in. */
  static final int HEADER_WORD = LineFilter.HEADER_WORD;

  /** The level of full lines. */
  static final int FULL = 15;

  private static final int NUMBER_BITS = 6;
  private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
  private static final int FIRST_SHIFT = Long.SIZE - HEADER_BITS;
  private static final int SECOND_SHIFT = FIRST_SHIFT + NUMBER_BITS;
  private static final int LEVEL_SHIFT = SECOND_SHIFT + NUMBER_BITS;

  /** Adds 1 to the first number of a header. */
  static final long ONE_FIRST = 1L << FIRST_SHIFT;

  /** Adds 1 to the second number of a header. */
  static final long ONE_SECOND = 1L << SECOND_SHIFT;

  /** A key that is repeated before this many others of its line came is a burst, and stays new. */
  private static final int BURST = 2;

  /** A repeated key among the latest of its queue, one part in this many, is not moved again. */
  private static final int LATEST_PART = 4;

  /** Returns the level in a header. */
  static int level(long header) {
    return (int) (header >>> LEVEL_SHIFT);
  }

  /** Returns whether a header is that of a full line. */
  static boolean isFull(long header) {
    return header >>> LEVEL_SHIFT == FULL;
  }

  /** Returns the first number of a header, for the class that gives it a meaning. */
  static int first(long header) {
    return (int) (header >>> FIRST_SHIFT) & NUMBER_MASK;
  }

  /** Returns the second number of a header, for the class that gives it a meaning. */
  static int second(long header) {
    return (int) (header >>> SECOND_SHIFT) & NUMBER_MASK;
  }

  /** Writes a header and leaves the other bits of its word alone. */
  static void setHeader(long[] line, int at, int first, int second, int level) {
    long others = line[at + HEADER_WORD] & (ONE_FIRST - 1);
    long header = first * ONE_FIRST + second * ONE_SECOND + ((long) level << LEVEL_SHIFT);
    line[at + HEADER_WORD] = others + header;
  }

  /** Returns whether a new key with this number of later ones stays where it is when repeated. */
  static boolean isBurst(int later) {
    return later < BURST;
  }

  /** Returns whether a repeated key is among the latest, where moving it would gain nothing. */
  static boolean isLate(int later, int repeated) {
    return LATEST_PART * later < repeated;
  }

  /** Returns the lane that holds a fingerprint, or -1. */
  abstract int find(long[] line, int at, long header, long fingerprint);

  /** Takes in a duplicate, whose fingerprint is in a lane. */
  abstract void repeat(long[] line, int at, long header, int lane, long fingerprint);

  /** Takes in a new key, whose fingerprint is in no lane. */
  abstract void add(long[] line, int at, long header, long fingerprint);

  /** Returns whether the next new key of a line pushes out another. */
  abstract boolean hasNoRoom(long header);

  /** Returns how many lanes of a line are in use. */
  abstract int lanesUsed(long header);

  /**
   * Refuses a line that is read and that lines of this form can never be.
   *
   * @throws IllegalArgumentException that tells what is wrong
   */
  abstract void check(long[] line, int at, long header);

  /** Returns the keys of a line. */
  final LineMerge.Keys keys(long[] line, int at) {
    long header = line[at + HEADER_WORD];
    return new LineMerge.Keys(newKeys(line, at, header), repeatedKeys(line, at, header));
  }

  /** Returns the fingerprints of the new keys of a line, the latest first if that is known. */
  abstract long[] newKeys(long[] line, int at, long header);

  /** Returns the fingerprints of the repeated keys of a line, the latest first if that is known. */
  abstract long[] repeatedKeys(long[] line, int at, long header);
}
