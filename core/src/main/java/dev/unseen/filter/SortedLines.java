package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.SortedLanes;
import java.util.stream.IntStream;

/**
 * The sorted lines of RECENCY: more keys than in order, but of their age only a mark and a hand.
 *
 * <pre>
 * for each element e, in its line:
 *   if it is there: e is a DUPLICATE; it gets a mark
 *   else e is DISTINCT:
 *     if all lanes are in use: the hand goes from lane to lane, round and round, to one without a mark,
 *       and that goes; if the line is to age, marks that the hand passes are taken away; if all lanes
 *       have a mark, all are taken away first
 *     e enters in its place, without a mark
 * </pre>
 *
 * That is the CLOCK of paging (Corbato 1968), except that the lanes stand in the order of their
 * hashes and not of their coming, and that it need not age. Where a hand that always ages would
 * forget popular keys among many others, one that never does would keep those that were popular
 * once.
 *
 * <p>In the header, the hand is where the number of repeated keys of a line in order is.
 */
final class SortedLines {
  private final SortedLanes lanes;
  private final int level; // in the header: the one after those of lines in order

  SortedLines(SortedLanes lanes, int level) {
    this.lanes = lanes;
    this.level = level;
  }

  /** The most lanes of a line. */
  int capacity() {
    return lanes.count();
  }

  boolean holds(long[] line, int at, int used, long fingerprint) {
    return lanes.find(line, at, used, fingerprint) >= 0;
  }

  /** Gives a key its mark, if it is there. */
  boolean mark(long[] line, int at, int used, long fingerprint) {
    int lane = lanes.find(line, at, used, fingerprint);
    if (lane >= 0) {
      long marks = lanes.marks(line, at);
      long marked = marks | (1L << lane);
      if (marked != marks) { // popular keys write nothing
        lanes.setMarks(line, at, marked);
      }
    }
    return lane >= 0;
  }

  /** Adds a key that is not there to a line in which there is room. */
  void add(long[] line, int at, int used, long fingerprint, boolean marked) {
    int lane = lanes.insert(line, at, used, used, lanes.marks(line, at), fingerprint);
    if (marked) {
      lanes.setMarks(line, at, lanes.marks(line, at) | (1L << lane));
    }
    line[at + LineHeader.WORD] += LineHeader.ONE_USED;
  }

  /** Adds a key that is not there to a line in which there is none. */
  void replace(long[] line, int at, int hand, long fingerprint, boolean ages) {
    int count = lanes.count();
    long all = -1L >>> -count;
    long marks = lanes.marks(line, at);
    if (marks == all) {
      marks = 0;
    }
    long ahead = -1L << hand; // lanes from the hand to the end
    long free = ~marks & all;
    boolean wraps = (free & ahead) == 0;
    int victim = Long.numberOfTrailingZeros(wraps ? free : free & ahead);
    if (ages) {
      long passed = (1L << victim) - 1;
      marks &= wraps ? ~(passed | ahead) : ~(passed & ahead);
    }
    int lane = lanes.insert(line, at, count, victim, marks, fingerprint);
    // To the key that was after the victim: the new one is not the next to go.
    int next = lane <= victim ? victim + 1 : victim;
    long moved = (long) (next == count ? 0 : next) - hand;
    line[at + LineHeader.WORD] += moved * LineHeader.ONE_REPEATED;
  }

  /** Makes an empty line. */
  void clear(long[] line, int at) {
    LineUnion.clear(line, at);
    line[at + LineHeader.WORD] = level * LineHeader.ONE_LEVEL;
  }

  /**
   * Sorts a full line, whose copy is in order: the repeated keys, which come last there, are
   * marked.
   */
  void sort(long[] line, int at, Lanes inOrder, long[] copy, int used, int repeated) {
    clear(line, at);
    for (int i = 0; i < used; i++) {
      int lane = used - 1 - i;
      add(line, at, i, inOrder.get(copy, 0, lane), i < repeated);
    }
  }

  /**
   * Puts a line, whose copy is sorted, in order, as far as that is known: the keys with a mark
   * become the repeated, the others the new. Those that do not fit go: the repeated down to a
   * number, then the new.
   */
  void putInOrder(long[] line, int at, Lanes inOrder, long[] copy, int used, int mostRepeated) {
    long marks = lanes.marks(copy, 0);
    int marked = Long.bitCount(marks);
    int kept = Math.min(used, inOrder.count());
    int surplus = used - kept;
    int tooMany = Math.max(0, Math.min(surplus, marked - mostRepeated));
    int repeated = marked - Math.max(tooMany, surplus - (used - marked));
    LineUnion.clear(line, at);
    int nextNew = 0;
    int nextRepeated = inOrder.count() - 1;
    for (int lane = 0; lane < used; lane++) {
      if (((marks >>> lane) & 1) == 0) {
        if (nextNew < kept - repeated) {
          inOrder.set(line, at, nextNew++, lanes.get(copy, 0, lane));
        }
      } else if (nextRepeated >= inOrder.count() - repeated) {
        inOrder.set(line, at, nextRepeated--, lanes.get(copy, 0, lane));
      }
    }
    LineHeader.set(line, at, kept, repeated, level - 1);
  }

  /** The keys with a mark, or those without. */
  LineUnion.Part part(long[] line, int at, int used, boolean marked) {
    long marks = lanes.marks(line, at);
    return new LineUnion.Part(
        IntStream.range(0, used)
            .filter(lane -> ((marks >>> lane) & 1) != 0 == marked)
            .mapToLong(lane -> lanes.get(line, at, lane))
            .toArray());
  }
}
