package dev.unseen.bits;

/**
 * One cache line of 512 bits as a sorted row of at most n fingerprints, each with a mark of one
 * bit.
 *
 * <pre>
 *   [occupied][starts][marks][remainder 0]...[remainder n-1][unused][header]
 *    Q bits    n bits  n bits  r bits each
 * </pre>
 *
 * A fingerprint is a quotient below Q and a remainder of r bits (see {@link Fingerprints}). Those
 * of one quotient stand side by side and are a run; runs stand in the order of their quotients. So
 * it is enough to know which quotients have a run, and where runs start, and no quotient has to be
 * written down: sorted, a fingerprint takes r + 2 + Q / n bits with its mark, where it would take r
 * + log2 Q without. (The two bitmaps are those of the quotient filter: Bender et al., <i>Don't
 * thrash: how to cache your hash on flash</i>, VLDB 2012.)
 *
 * <pre>
 * find a fingerprint (q, remainder):
 *   if occupied[q] is not set: it is not here
 *   lane = the start of the run whose number is the count of occupied quotients below q
 *   until the next start: if the remainder at the lane is equal, it is here; go to the next lane
 *
 * insert one in place of a victim:
 *   cut the victim's bit out of starts and marks; if it was alone in its run, clear its quotient in
 *     occupied; else if it was the first, the next is
 *   the new one becomes the first of its run, or a run between those of its neighbors
 *   move the remainders between the two places by one lane
 * </pre>
 */
public final class SortedLanes {
  private final Fingerprints fingerprints;
  private final int count;
  private final int rest; // bits of a remainder
  private final int startsBegin; // the first bit of each part
  private final int marksBegin;
  private final int restBegin;
  private final int restWord; // its word
  private final long[] restsBelow; // for each number of lanes, in each word, their bits

  public SortedLanes(int header, int count, Fingerprints fingerprints) {
    this.fingerprints = fingerprints;
    this.count = count;
    this.rest = fingerprints.remainderBits();
    this.startsBegin = fingerprints.quotients();
    this.marksBegin = startsBegin + count;
    this.restBegin = marksBegin + count;
    this.restWord = restBegin / Long.SIZE;
    if (restWord == 0 || restBegin + count * rest > Lanes.BITS - header) {
      throw new IllegalArgumentException(
          "count (%d) of lanes with remainders of %d bits and %d quotients does not fit"
              .formatted(count, rest, fingerprints.quotients()));
    }
    this.restsBelow = new long[(count + 1) * Lanes.WORDS];
    for (int lane = 0; lane <= count; lane++) {
      for (int bit = restBegin; bit < restBegin + lane * rest; bit++) {
        restsBelow[lane * Lanes.WORDS + bit / Long.SIZE] |= 1L << bit;
      }
    }
  }

  /**
   * Returns the most quotients that fit; below one if the lanes do not, or start in the first word.
   */
  public static int mostQuotients(int header, int count, int remainderBits) {
    int most = Math.min(Long.SIZE, Lanes.BITS - header - count * (remainderBits + 2));
    return most + 2 * count < Long.SIZE ? 0 : most;
  }

  public int count() {
    return count;
  }

  public Fingerprints fingerprints() {
    return fingerprints;
  }

  /** Returns the lane of a fingerprint in a line with this many lanes in use, or -1. */
  public int find(long[] words, int at, int used, long fingerprint) {
    int quotient = fingerprints.quotient(fingerprint);
    long occupied = words[at];
    if (((occupied >>> quotient) & 1) == 0) {
      return -1;
    }
    long remainder = fingerprints.remainder(fingerprint);
    long starts = bits(words, at, startsBegin, count);
    int lane = BitRank.select(starts, Long.bitCount(occupied & BitRank.below(quotient)));
    do {
      if (bits(words, at, restBegin + lane * rest, rest) == remainder) {
        return lane;
      }
      lane++;
    } while (lane < used && ((starts >>> lane) & 1) == 0);
    return -1;
  }

  public long get(long[] words, int at, int lane) {
    long starts = bits(words, at, startsBegin, count);
    long occupied = bits(words, at, 0, startsBegin);
    long quotient = BitRank.select(occupied, Long.bitCount(starts & BitRank.below(lane + 1)) - 1);
    return (quotient << rest) | bits(words, at, restBegin + lane * rest, rest);
  }

  /** Rejects bitmaps that contradict each other or the number of lanes in use. */
  public void check(long[] words, int at, int used) {
    long starts = bits(words, at, startsBegin, count);
    int runs = Long.bitCount(starts);
    int quotients = Long.bitCount(bits(words, at, 0, startsBegin));
    if (quotients != runs) {
      throw new IllegalArgumentException(
          "occupied quotients (%d) must equal the number of runs, %d".formatted(quotients, runs));
    }
    if ((starts & 1) != Math.min(used, 1)) {
      throw new IllegalArgumentException("a run must start in the first lane in use");
    }
    if (((starts | marks(words, at)) & ~BitRank.below(used)) != 0) {
      throw new IllegalArgumentException("a free lane must not start a run or have a mark");
    }
  }

  /** Returns the marks of all lanes, with lane 0 in the lowest bit. */
  public long marks(long[] words, int at) {
    return bits(words, at, marksBegin, count);
  }

  public void setMarks(long[] words, int at, long marks) {
    setBits(words, at, marksBegin, count, marks);
  }

  /**
   * Inserts a new fingerprint without a mark in place of the victim, or into one more lane if that
   * equals {@code used}, and writes all marks. Returns its lane; the lanes between the two have
   * moved by one.
   */
  public int insert(long[] words, int at, int used, int victim, long marks, long fingerprint) {
    long occupied = bits(words, at, 0, startsBegin);
    long starts = bits(words, at, startsBegin, count);
    int left = used;
    // There are few branches, because the processor cannot predict which lane is the victim.
    if (victim < used) {
      left--;
      long first = (starts >>> victim) & 1;
      long last = ((starts | (1L << used)) >>> (victim + 1)) & 1; // the next one starts a run
      int run = Long.bitCount(starts & BitRank.below(victim + 1)) - 1;
      occupied &= ~((first & last) << BitRank.select(occupied, run));
      starts = BitRank.without(starts, victim) | ((first & ~last) << victim);
      marks = BitRank.without(marks, victim);
    }
    int quotient = fingerprints.quotient(fingerprint);
    long joins = (occupied >>> quotient) & 1;
    int lane =
        BitRank.select(starts | (1L << left), Long.bitCount(occupied & BitRank.below(quotient)));
    starts = BitRank.withZero(starts & ~(joins << lane), lane) | (1L << lane);
    setBits(words, at, 0, startsBegin, occupied | (1L << quotient));
    setBits(words, at, startsBegin, count, starts);
    setMarks(words, at, BitRank.withZero(marks, lane));
    if (lane <= victim) {
      moveUp(words, at, lane, victim);
    } else {
      moveDown(words, at, victim, lane);
    }
    setBits(words, at, restBegin + lane * rest, rest, fingerprints.remainder(fingerprint));
    return lane;
  }

  /** Moves the remainders of lanes first..last-1 up by one. */
  private void moveUp(long[] words, int at, int first, int last) {
    int from = first * Lanes.WORDS;
    int to = (last + 1) * Lanes.WORDS;
    for (int i = Lanes.WORDS - 1; i >= restWord; i--) {
      long word = words[at + i];
      long moved = (word << rest) | (words[at + i - 1] >>> -rest);
      words[at + i] = word ^ ((word ^ moved) & (restsBelow[to + i] ^ restsBelow[from + i]));
    }
  }

  /** Moves the remainders of lanes first+1..last down by one. */
  private void moveDown(long[] words, int at, int first, int last) {
    int from = first * Lanes.WORDS;
    int to = (last + 1) * Lanes.WORDS;
    for (int i = restWord; i < Lanes.WORDS; i++) {
      long word = words[at + i];
      long next = i == Lanes.WORDS - 1 ? 0 : words[at + i + 1];
      long moved = (word >>> rest) | (next << -rest);
      words[at + i] = word ^ ((word ^ moved) & (restsBelow[to + i] ^ restsBelow[from + i]));
    }
  }

  private static long bits(long[] words, int at, int begin, int length) {
    int i = at + begin / Long.SIZE;
    int shift = begin % Long.SIZE;
    long low = words[i] >>> shift;
    long all = shift + length > Long.SIZE ? low | (words[i + 1] << -shift) : low;
    return all & (-1L >>> -length);
  }

  private static void setBits(long[] words, int at, int begin, int length, long value) {
    int i = at + begin / Long.SIZE;
    int shift = begin % Long.SIZE;
    long mask = -1L >>> -length;
    words[i] = (words[i] & ~(mask << shift)) | (value << shift);
    if (shift + length > Long.SIZE) {
      words[i + 1] = (words[i + 1] & ~(mask >>> -shift)) | (value >>> -shift);
    }
  }
}
