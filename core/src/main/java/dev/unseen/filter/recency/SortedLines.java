package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.bits.SortedLanes;
import dev.unseen.state.StorageCheck;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The sorted lines of RECENCY. They hold more keys than lines in order, but know less about their
 * age: only a mark for each key, and a hand.
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
 * <p>This is the CLOCK algorithm of paging (Corbato 1968), except that the lanes are in the order
 * of their hashes and not of their arrival, and that it need not age. A hand that always ages would
 * forget popular keys among many others, and a hand that never ages would keep keys that are no
 * longer popular.
 *
 * <p>A mark stands for a repeated key when a line is sorted, and when it is put back in order.
 */
final class SortedLines extends Lines {
  /** In a line that keeps its keys, one new key in two to the power of this number stays. */
  private static final int STAYING_BITS = 5;

  private final SortedLanes lanes;
  private final int level;
  private final Target target;
  private final long[] copy;

  SortedLines(SortedLanes lanes, int level, Target target, long[] copy) {
    this.lanes = lanes;
    this.level = level;
    this.target = target;
    this.copy = copy;
  }

  private static int used(long header) {
    return first(header);
  }

  private static int hand(long header) {
    return second(header);
  }

  int capacity() {
    return lanes.count();
  }

  @Override
  int find(long[] line, int at, long header, long fingerprint) {
    return lanes.find(line, at, used(header), fingerprint);
  }

  @Override
  boolean isNew(long[] line, int at, long header, int lane) {
    return ((lanes.marks(line, at) >>> lane) & 1) == 0;
  }

  /** Returns whether the key in a lane may have come after a line that keeps its keys was full. */
  boolean isLater(long header, int lane, long fingerprint) {
    return hasNoRoom(header) && (lane == hand(header) || isToStay(fingerprint));
  }

  @Override
  void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    mark(line, at, lane);
  }

  private void mark(long[] line, int at, int lane) {
    long marks = lanes.marks(line, at);
    long marked = marks | (1L << lane);
    if (marked != marks) { // popular keys write nothing
      lanes.setMarks(line, at, marked);
    }
  }

  @Override
  void add(long[] line, int at, long header, long fingerprint) {
    if (used(header) < lanes.count()) {
      insert(line, at, used(header), fingerprint, false);
    } else {
      replace(line, at, hand(header), fingerprint, target.ages(fingerprint));
    }
  }

  /**
   * Adds a new key with the hand left at it, so that the next one replaces it. One key in 32 stays,
   * in a loop always the same, so that the line can change.
   */
  void keep(long[] line, int at, long header, long fingerprint) {
    if (used(header) < lanes.count() || isToStay(fingerprint)) {
      add(line, at, header, fingerprint);
    } else {
      int lane = replace(line, at, hand(header), fingerprint, target.ages(fingerprint));
      line[at + HEADER_WORD] += (long) (lane - hand(line[at + HEADER_WORD])) * ONE_SECOND;
    }
  }

  private static boolean isToStay(long fingerprint) {
    return (fingerprint * Mix.GOLDEN) >>> (Long.SIZE - STAYING_BITS) == 0;
  }

  /** Adds a key that is not in the line to a line with room. */
  private void insert(long[] line, int at, int used, long fingerprint, boolean marked) {
    int lane = lanes.insert(line, at, used, used, lanes.marks(line, at), fingerprint);
    if (marked) {
      mark(line, at, lane);
    }
    line[at + HEADER_WORD] += ONE_FIRST;
  }

  /** Adds a key that is not in the line to a line without room. Returns its lane. */
  int replace(long[] line, int at, int hand, long fingerprint, boolean ages) {
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
    // The hand moves to the key after the victim, so that the new key is not the next victim.
    int next = lane <= victim ? victim + 1 : victim;
    long moved = (long) (next == count ? 0 : next) - hand;
    line[at + HEADER_WORD] += moved * ONE_SECOND;
    return lane;
  }

  private void clear(long[] line, int at) {
    Arrays.fill(line, at, at + Lanes.WORDS, 0);
    setHeader(line, at, 0, 0, level);
  }

  /** Writes a line from keys. The repeated keys get a mark. */
  void write(long[] line, int at, LineKeys keys) {
    long[] repeated = keys.repeated();
    long[] news = keys.news();
    clear(line, at);
    for (int i = 0; i < repeated.length; i++) {
      insert(line, at, i, repeated[i], true);
    }
    for (int i = 0; i < news.length; i++) {
      insert(line, at, repeated.length + i, news[i], false);
    }
  }

  /** Sorts a full line, in which the repeated keys are in the last lanes. */
  void sort(long[] line, int at, Lanes inOrder, int repeated) {
    System.arraycopy(line, at, copy, 0, Lanes.WORDS);
    clear(line, at);
    int count = inOrder.count();
    for (int i = 0; i < count; i++) {
      insert(line, at, i, inOrder.get(copy, 0, count - 1 - i), i < repeated);
    }
  }

  /**
   * Puts a line in order, as far as it is known: keys with a mark become repeated keys. Of too
   * many, repeated keys are dropped down to the target, and then new keys.
   */
  void putInOrder(long[] line, int at, Lanes inOrder, FillingLines filling) {
    System.arraycopy(line, at, copy, 0, Lanes.WORDS);
    int used = used(line[at + HEADER_WORD]);
    long marks = lanes.marks(copy, 0);
    int marked = Long.bitCount(marks);
    int kept = Math.min(used, inOrder.count());
    int surplus = used - kept;
    int tooMany = Math.max(0, Math.min(surplus, marked - target.lanes()));
    int repeated = marked - Math.max(tooMany, surplus - (used - marked));
    Arrays.fill(line, at, at + Lanes.WORDS, 0);
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
    filling.close(line, at, kept, repeated, level - 1);
  }

  @Override
  boolean hasNoRoom(long header) {
    return used(header) == lanes.count();
  }

  @Override
  int lanesUsed(long header) {
    return used(header);
  }

  @Override
  void check(long[] line, int at, long header) {
    int used = used(header);
    StorageCheck.requireBetween("lanes in use", used, 0, lanes.count());
    int mostHand = used == lanes.count() ? used - 1 : 0; // it moves when no lane is free
    StorageCheck.requireBetween("hand", hand(header), 0, mostHand);
    lanes.check(line, at, used);
  }

  /** Rejects the keys of an ordered line if they could not be sorted. */
  void checkKeys(LineKeys keys) {
    checkKeys(keys.news());
    checkKeys(keys.repeated());
  }

  private void checkKeys(long[] keys) {
    for (long key : keys) {
      if (!lanes.fingerprints().isPossible(key)) {
        throw new IllegalArgumentException("it has a fingerprint (%x) of no hash".formatted(key));
      }
    }
  }

  @Override
  long[] newKeys(long[] line, int at, long header) {
    return keys(line, at, header, ~lanes.marks(line, at));
  }

  @Override
  long[] repeatedKeys(long[] line, int at, long header) {
    return keys(line, at, header, lanes.marks(line, at));
  }

  private long[] keys(long[] line, int at, long header, long inLanes) {
    return IntStream.range(0, used(header))
        .filter(lane -> ((inLanes >>> lane) & 1) != 0)
        .mapToLong(lane -> lanes.get(line, at, lane))
        .toArray();
  }
}
