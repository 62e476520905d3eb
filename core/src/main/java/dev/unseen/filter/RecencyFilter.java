package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.StateVisitor;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.util.OptionalDouble;

/**
 * RECENCY: fingerprints in lines of one cache line each, of which the least useful is pushed out.
 *
 * <pre>
 * a line:  [new keys, latest first][free][repeated keys, latest last][header]
 *
 * for each element e, in its line:
 *   if a lane holds its fingerprint: e is a DUPLICATE; it becomes the latest of the repeated,
 *     unless it is one of the latest few already, or one of the two latest of the new
 *   else e is DISTINCT:
 *     if all lanes are in use, narrow them; if they are at their narrowest, make one free:
 *       the oldest of the repeated, if they are more than the target, else the oldest of the new
 *     e becomes the latest of the new
 *   in a full line, a duplicate that was the oldest of the repeated raises the target a little,
 *   one that was the oldest of the new lowers it
 * </pre>
 *
 * Where a lane stands tells its age, so no bit is spent on that. The target, one number for the
 * whole filter, settles where one more lane would be of equal use to both queues. Where keys come
 * exactly twice, the repeated are dropped at once, and the new have all the room; where some keys
 * are popular, they are kept; where neither is so, what goes is the least recently seen. A key that
 * is repeated at once and then never again is not popular: bursts do not count. The two queues are
 * those of 2Q (Johnson and Shasha, VLDB 1994) and ARC (Megiddo and Modha, FAST 2003); they move the
 * border by the keys they have lost, which we cannot afford to remember, and we by the use of the
 * lanes about to be lost. In a full line the oldest of both queues are neighbours, so that the
 * border between them moves without a lane's moving.
 *
 * <p>Where the target is high, keys are popular, and their order is of little use. A line is then
 * sorted when it next is full, which makes room for more of them (see {@link SortedLines}), and put
 * back in order when the target has come down. One line in sixteen is never sorted: from those the
 * target goes on learning.
 *
 * <p>With {@link Refresh#ALWAYS} or {@link Refresh#NEVER} there is one queue, of all keys.
 */
final class RecencyFilter extends LineFilter {
  // The header: lanes in use, those of the repeated, and the level.
  static final int HEADER_BITS = 16;
  private static final int REPEATED_SHIFT = 6;
  private static final int LEVEL_SHIFT = 12;
  private static final int COUNT_MASK = 63;
  static final int HEADER_WORD = Lanes.WORDS - 1;
  private static final int HEADER_SHIFT = Long.SIZE - HEADER_BITS;
  static final long ONE_USED = 1L << HEADER_SHIFT;
  static final long ONE_REPEATED = ONE_USED << REPEATED_SHIFT;
  static final long ONE_LEVEL = ONE_USED << LEVEL_SHIFT;

  /** The target has this many bits behind the point. */
  private static final int FRACTION = 32;

  /** If each line has one hit in a last lane, the target moves by so many lanes. */
  private static final long STEPS_PER_LINE = 64;

  /** One hit moves it by half a lane at most, however few lines there are. */
  private static final long MOST_STEP = 1L << (FRACTION - 1);

  /** What is repeated while so few keys of its line came after it, is a burst, and stays new. */
  private static final int BURST = 2;

  /** A repeated key among the latest of its queue, one part in so many, is not moved again. */
  private static final int LATEST_PART = 4;

  /** Repeated keys of which the oldest tells something. */
  private static final int FEW = 3;

  /** A full line is sorted if the target is at least this share of its lanes, in twentieths. */
  private static final int SORT_FROM = 16;

  /** A sorted line stays so while it is at least this share. */
  private static final int SORT_UNTIL = 13;

  /** One line in so many is never sorted, and weighs more. */
  private static final int LINES_PER_LEADER = 16;

  private static final int LEADER_WEIGHT = 4;

  private final Refresh refresh;
  private final long step;
  private final SortedLines sorted; // null if lines are never sorted
  private final long full; // the target if all lanes are for the repeated
  private long forgotten;
  private long target; // lanes of a line for repeated keys, as a fixed-point number

  RecencyFilter(FilterSpec spec) {
    super(spec, LineForm.of(spec));
    this.refresh = spec.refresh();
    this.sorted = form.sorted();
    this.full = (long) capacity << FRACTION;
    this.step = Math.min(MOST_STEP, Math.max(1, (STEPS_PER_LINE << FRACTION) / lines));
    this.target = full / 2;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    target = visitor.number("target", target, 0, full);
    forgotten = visitor.number("forgotten", forgotten, 0, Long.MAX_VALUE);
    super.state(visitor);
  }

  @Override
  void mergeNumbers(LineFilter other) {
    target = (target + ((RecencyFilter) other).target) / 2;
    forgotten += ((RecencyFilter) other).forgotten;
  }

  /**
   * Both queues of both lines, in turn. A key that is new to both was seen twice, so it is one of
   * the repeated. What does not fit goes as {@link #replace} has it.
   */
  @Override
  void mergeLine(long[] line, int at, LineFilter other, long[] from, int fromAt) {
    int a = header(line, at);
    int b = header(from, fromAt);
    int level = Math.max(a >>> LEVEL_SHIFT, b >>> LEVEL_SHIFT);
    boolean sort = level == shapes.length;
    int width = sort ? fingerprints.bits() : shapes[level].width();
    int room = sort ? sorted.capacity() : capacity;
    LineUnion.Part newA = newKeys(line, at, a);
    LineUnion.Part newB = newKeys(from, fromAt, b);
    LineUnion repeated = new LineUnion(2 * room, width);
    repeated.addInTurn(repeatedKeys(line, at, a), repeatedKeys(from, fromAt, b));
    LineUnion news = new LineUnion(2 * room, width);
    news.addInTurn(newA, newB);
    if (refresh == Refresh.ADAPTIVE) {
      for (int i = 0; i < newA.size(); i++) {
        if (newB.contains(newA.get(i), (1L << width) - 1)) {
          repeated.add(newA.get(i));
        }
      }
    }
    news.removeAll(repeated);
    while (repeated.size() + news.size() > room) {
      boolean manyRepeated = !sort && tooMany(repeated.size());
      (news.size() == 0 || manyRepeated ? repeated : news).dropLast(1);
    }
    int count = repeated.size() + news.size();
    if (sort) {
      sorted.clear(line, at);
      repeated.write(sorted, line, at, 0, true);
      news.write(sorted, line, at, repeated.size(), false);
      countUsed(level, count);
      return;
    }
    level = levelFor(count, level);
    LineUnion.clear(line, at);
    news.write(shapes[level], line, at, 0, 1);
    repeated.write(shapes[level], line, at, shapes[level].count() - 1, -1);
    line[at + HEADER_WORD] += header(count, repeated.size(), level);
    countUsed(level, count);
  }

  private LineUnion.Part repeatedKeys(long[] line, int at, int header) {
    if (isSorted(header)) {
      return sorted.part(line, at, header & COUNT_MASK, true);
    }
    int repeated = (header >>> REPEATED_SHIFT) & COUNT_MASK;
    Lanes lanes = shapes[header >>> LEVEL_SHIFT];
    return LineUnion.Part.of(lanes, line, at, lanes.count() - 1, -1, repeated);
  }

  private LineUnion.Part newKeys(long[] line, int at, int header) {
    if (isSorted(header)) {
      return sorted.part(line, at, header & COUNT_MASK, false);
    }
    int repeated = (header >>> REPEATED_SHIFT) & COUNT_MASK;
    int count = (header & COUNT_MASK) - repeated;
    return LineUnion.Part.of(shapes[header >>> LEVEL_SHIFT], line, at, 0, 1, count);
  }

  private static int header(long[] line, int at) {
    return (int) (line[at + HEADER_WORD] >>> HEADER_SHIFT);
  }

  @Override
  int lanesUsed(long[] line, int at) {
    return header(line, at) & COUNT_MASK;
  }

  @Override
  boolean isSorted(long[] line, int at) {
    return isSorted(header(line, at));
  }

  private boolean isSorted(int header) {
    return header >>> LEVEL_SHIFT == shapes.length;
  }

  @Override
  boolean holds(long[] line, int at, long mixed) {
    int header = header(line, at);
    long fingerprint = fingerprints.of(mixed);
    if (isSorted(header)) {
      return sorted.holds(line, at, header & COUNT_MASK, fingerprint);
    }
    Lanes lanes = shapes[header >>> LEVEL_SHIFT];
    return lanes.find(line, at, fingerprint, inUse(header, lanes)) >= 0;
  }

  /** A bit for each lane in use. */
  private static long inUse(int header, Lanes lanes) {
    int repeated = (header >>> REPEATED_SHIFT) & COUNT_MASK;
    int news = (header & COUNT_MASK) - repeated;
    return ((1L << news) - 1) | (((1L << repeated) - 1) << (lanes.count() - repeated));
  }

  @Override
  boolean take(long[] line, int at, long mixed) {
    int header = header(line, at);
    long fingerprint = fingerprints.of(mixed);
    if (isSorted(header)) {
      return takeSorted(line, at, header, fingerprint);
    }
    Lanes lanes = shapes[header >>> LEVEL_SHIFT];
    int lane = lanes.find(line, at, fingerprint, inUse(header, lanes));
    if (lane >= 0) {
      repeat(line, at, header, lane, fingerprint);
      return false;
    }
    add(line, at, header, fingerprint);
    return true;
  }

  private void repeat(long[] line, int at, int header, int lane, long fingerprint) {
    Lanes lanes = shapes[header >>> LEVEL_SHIFT];
    if (refresh == Refresh.ADAPTIVE) {
      int repeated = (header >>> REPEATED_SHIFT) & COUNT_MASK;
      int news = (header & COUNT_MASK) - repeated;
      if (news + repeated == capacity) {
        weigh(lane, news, at);
      }
      if (lane < news ? lane < BURST : LATEST_PART * (lanes.count() - 1 - lane) < repeated) {
        return; // stays where it is, which is as good and costs nothing
      }
      if (lane < news) {
        line[at + HEADER_WORD] += ONE_REPEATED;
      }
      lanes.toBack(line, at, lane, fingerprint);
    } else if (refresh == Refresh.ALWAYS) {
      lanes.toFront(line, at, lane, fingerprint);
    }
  }

  /**
   * Moves the target towards the queue whose oldest lane was of use. The oldest of very few
   * repeated keys may have come just now, and does not count.
   */
  private void weigh(int lane, int news, int at) {
    long weight = isLeader(at) ? Math.min(MOST_STEP, LEADER_WEIGHT * step) : step;
    if (lane == news && capacity - news >= FEW) {
      target = Math.min(full, target + weight);
    } else if (lane == news - 1) {
      target = Math.max(0, target - weight);
    }
  }

  private static boolean isLeader(int at) {
    return at / Lanes.WORDS % LINES_PER_LEADER == 0;
  }

  private void add(long[] line, int at, int header, long fingerprint) {
    int count = header & COUNT_MASK;
    int repeated = (header >>> REPEATED_SHIFT) & COUNT_MASK;
    int level = header >>> LEVEL_SHIFT;
    if (count == capacity && sorted != null && targetIs(SORT_FROM) && !isLeader(at)) {
      sorted.sort(line, at, shapes[level], copy(line, at), count, repeated);
      countUsed(level, -count);
      countUsed(shapes.length, count);
      addSorted(line, at, header(line, at), fingerprint);
      return;
    }
    if (count == capacity) {
      replace(line, at, repeated, fingerprint);
      return;
    }
    if (count == shapes[level].count()) {
      narrow(line, at, level, repeated);
      level++;
      line[at + HEADER_WORD] += ONE_LEVEL;
    }
    line[at + HEADER_WORD] += ONE_USED;
    countUsed(level, 1);
    shapes[level].toFront(line, at, count - repeated, fingerprint);
  }

  private void replace(long[] line, int at, int repeated, long fingerprint) {
    forgotten++;
    int last = capacity - repeated - 1; // the oldest of the new
    if (last < 0 || tooMany(repeated)) {
      line[at + HEADER_WORD] -= ONE_REPEATED;
      last++; // the oldest of the repeated
    }
    shapes[shapes.length - 1].toFront(line, at, last, fingerprint);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return forgotten == 0 ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  private boolean takeSorted(long[] line, int at, int header, long fingerprint) {
    int count = header & COUNT_MASK;
    if (sorted.mark(line, at, count, fingerprint)) {
      return false;
    }
    if (targetIs(SORT_UNTIL)) {
      addSorted(line, at, header, fingerprint);
    } else {
      int level = shapes.length - 1;
      int mostRepeated = (int) (target >>> FRACTION);
      sorted.putInOrder(line, at, shapes[level], copy(line, at), count, mostRepeated);
      countUsed(shapes.length, -count);
      countUsed(level, lanesUsed(line, at));
      forgotten += count - lanesUsed(line, at);
      add(line, at, header(line, at), fingerprint);
    }
    return true;
  }

  private boolean targetIs(int twentieths) {
    return 20 * target >= twentieths * full;
  }

  private void addSorted(long[] line, int at, int header, long fingerprint) {
    int count = header & COUNT_MASK;
    if (count < sorted.capacity()) {
      countUsed(shapes.length, 1);
      sorted.add(line, at, count, fingerprint, false);
    } else {
      forgotten++;
      // The further the target is from full, the more lines age; at three quarters all do.
      boolean ages = Mix.reduce(fingerprint * Mix.GOLDEN, full) < 4 * (full - target);
      int hand = (header >>> REPEATED_SHIFT) & COUNT_MASK;
      sorted.replace(line, at, hand, fingerprint, ages);
    }
  }

  /** Whether the repeated have more lanes than the target. */
  private boolean tooMany(int repeated) {
    return (long) repeated << FRACTION > target;
  }

  static long header(int count, int repeated, int level) {
    return count * ONE_USED + repeated * ONE_REPEATED + level * ONE_LEVEL;
  }
}
