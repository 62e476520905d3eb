package dev.unseen.lab.rival;

import dev.unseen.bits.Fingerprints;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SortedLanes;
import dev.unseen.state.Words;

/**
 * CLOCK-38: lines of 512 bits with sorted fingerprints, a mark per key and a hand per line. It is
 * what RECENCY's sorted lines are without everything that learns: one line per key, no target, no
 * queues, no keeping.
 *
 * <pre>
 * a line is a quotient filter of n lanes with q quotients and remainders of r bits
 * for each element e with its line and fingerprint x:
 *   if x is in the line: a DUPLICATE; set its mark
 *   else DISTINCT, and then
 *     if the line has a free lane: store x there
 *     else: while the lane at the hand has a mark: clear the mark; move the hand on
 *       store x in place of the fingerprint at the hand
 * </pre>
 *
 * At a false positive rate of 1e-3 a line has 38 lanes, hence the name. The bits are those of
 * {@link SortedLanes}; hand and number of lanes take 16.
 */
final class ClockLines implements Contestant {
  private static final int HEADER = 16;
  private static final int HEADER_WORD = Lanes.WORDS - 1;
  private static final int USED_SHIFT = Long.SIZE - 8;
  private static final int HAND_SHIFT = Long.SIZE - HEADER;

  private final Words words;
  private final SortedLanes lanes;
  private final Fingerprints fingerprints;
  private final int count;
  private final long lines;
  private final long seed;

  ClockLines(long memoryBytes, Shape shape, long seed) {
    this.lines = memoryBytes / (Lanes.WORDS * Long.BYTES);
    this.words = new Words(lines * Lanes.WORDS);
    this.fingerprints = new Fingerprints(shape.remainderBits, shape.quotients);
    this.lanes = new SortedLanes(HEADER, shape.lanes, fingerprints);
    this.count = shape.lanes;
    this.seed = Mix.mix(seed);
  }

  @Override
  public boolean admit(long hash) {
    long h = Mix.mix(hash ^ seed);
    long word = Mix.reduce(h, lines) * Lanes.WORDS;
    long[] line = words.chunk(word);
    int at = Words.inChunk(word);
    long x = fingerprints.of(Mix.mix(h + Mix.GOLDEN)) & ((1L << fingerprints.bits()) - 1);
    int used = (int) (line[at + HEADER_WORD] >>> USED_SHIFT);
    int lane = lanes.find(line, at, used, x);
    long marks = lanes.marks(line, at);
    if (lane >= 0) {
      lanes.setMarks(line, at, marks | 1L << lane);
      return false;
    }
    if (used < count) {
      lanes.insert(line, at, used, used, marks, x);
      setHeader(line, at, used + 1, 0);
    } else {
      replace(line, at, marks, x);
    }
    return true;
  }

  private void replace(long[] line, int at, long allMarks, long x) {
    long marks = allMarks;
    int victim = (int) (line[at + HEADER_WORD] >>> HAND_SHIFT) & 0xFF;
    while ((marks >>> victim & 1) != 0) {
      marks &= ~(1L << victim);
      victim = (victim + 1) % count;
    }
    int lane = lanes.insert(line, at, count, victim, marks, x);
    // The lane after the victim's has moved to the victim's if the new one is above it.
    setHeader(line, at, count, (lane <= victim ? victim + 1 : victim) % count);
  }

  private static void setHeader(long[] line, int at, long used, long hand) {
    long below = line[at + HEADER_WORD] & (1L << HAND_SHIFT) - 1;
    line[at + HEADER_WORD] = used << USED_SHIFT | hand << HAND_SHIFT | below;
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /**
   * The division of a line.
   *
   * @param lanes n
   * @param quotients q
   * @param remainderBits r
   */
  record Shape(int lanes, int quotients, int remainderBits) {
    /** Returns the shape with the most lanes at this false positive rate. */
    static Shape of(double rate) {
      for (int n = Long.SIZE - 1; n > 0; n--) {
        for (int r = 1; r < Integer.SIZE; r++) {
          Shape shape = new Shape(n, SortedLanes.mostQuotients(HEADER, n, r), r);
          if (shape.quotients > 1 && shape.fullFpr() <= rate) {
            return shape;
          }
        }
      }
      throw new IllegalArgumentException("rate (%s) is too low for a line".formatted(rate));
    }

    /** Returns the false positive rate of full lines: 1 - (1 - 1 / (q 2^r))^n. */
    double fullFpr() {
      return -Math.expm1(lanes * Math.log1p(-Math.scalb(1.0 / quotients, -remainderBits)));
    }

    @Override
    public String toString() {
      return "n=%d q=%d r=%d".formatted(lanes, quotients, remainderBits);
    }
  }
}
