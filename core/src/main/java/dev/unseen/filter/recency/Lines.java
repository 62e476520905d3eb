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
 * <p>The level shows the form. A filling line has the level of its shape: 0 has the fewest and
 * widest lanes. A sorted line has the level after the last shape, and 15 stands for all full lines.
 * Only the class of the form knows the meaning of the other two numbers of a header.
 *
 * <p>All forms have the same methods. Each method takes the array that holds the line, the first
 * word of the line in it, and the header, which is the last word of the line.
 */
abstract sealed class Lines permits FillingLines, FullLines, SortedLines {
  /** The bits of a header: the highest ones of the last word of a line. */
  static final int HEADER_BITS = 16;

  static final int HEADER_WORD = LineFilter.HEADER_WORD;

  static final int FULL = 15;

  private static final int NUMBER_BITS = 6;
  private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
  private static final int FIRST_SHIFT = Long.SIZE - HEADER_BITS;
  private static final int SECOND_SHIFT = FIRST_SHIFT + NUMBER_BITS;
  private static final int LEVEL_SHIFT = SECOND_SHIFT + NUMBER_BITS;

  /** Adding this to a header adds 1 to its first number. */
  static final long ONE_FIRST = 1L << FIRST_SHIFT;

  /** Adding this to a header adds 1 to its second number. */
  static final long ONE_SECOND = 1L << SECOND_SHIFT;

  /** A key that is repeated before as many others came to its line is a burst, and stays new. */
  private static final int BURST = 2;

  /** A repeated key among the latest of its queue, one part in this number, is not moved again. */
  private static final int LATEST_PART = 4;

  static int level(long header) {
    return (int) (header >>> LEVEL_SHIFT);
  }

  static boolean isFull(long header) {
    return header >>> LEVEL_SHIFT == FULL;
  }

  /** Returns the first number of a header. Its meaning depends on the form of the line. */
  static int first(long header) {
    return (int) (header >>> FIRST_SHIFT) & NUMBER_MASK;
  }

  static int second(long header) {
    return (int) (header >>> SECOND_SHIFT) & NUMBER_MASK;
  }

  /** Writes a header and leaves the other bits of its word unchanged. */
  static void setHeader(long[] line, int at, int first, int second, int level) {
    long others = line[at + HEADER_WORD] & (ONE_FIRST - 1);
    long header = first * ONE_FIRST + second * ONE_SECOND + ((long) level << LEVEL_SHIFT);
    line[at + HEADER_WORD] = others + header;
  }

  /** Returns whether a new key stays where it is when it is repeated. */
  static boolean isBurst(int later) {
    return later < BURST;
  }

  /** Returns whether a repeated key is among the latest, so that moving it would gain nothing. */
  static boolean isLate(int later, int repeated) {
    return LATEST_PART * later < repeated;
  }

  /** Returns the lane that contains a fingerprint, or -1 if there is none. */
  abstract int find(long[] line, int at, long header, long fingerprint);

  /** Returns whether the key in a lane has not come again so far, as far as the line knows. */
  abstract boolean isNew(long[] line, int at, long header, int lane);

  /** Processes a duplicate, whose fingerprint is in this lane. */
  abstract void repeat(long[] line, int at, long header, int lane, long fingerprint);

  /** Adds a new key, whose fingerprint is in no lane. */
  abstract void add(long[] line, int at, long header, long fingerprint);

  /** Returns whether the next new key of a line replaces another. */
  abstract boolean hasNoRoom(long header);

  abstract int lanesUsed(long header);

  /** Rejects a line that cannot occur in this form. */
  abstract void check(long[] line, int at, long header);

  final LineKeys keys(long[] line, int at) {
    long header = line[at + HEADER_WORD];
    return new LineKeys(newKeys(line, at, header), repeatedKeys(line, at, header));
  }

  /** Returns the new keys of a line, the latest first if their order is known. */
  abstract long[] newKeys(long[] line, int at, long header);

  /** Returns the repeated keys of a line, the latest first if their order is known. */
  abstract long[] repeatedKeys(long[] line, int at, long header);
}
