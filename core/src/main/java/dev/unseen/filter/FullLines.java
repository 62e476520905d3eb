package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.hash.Mix;

/**
 * The full lines of RECENCY: all lanes are in use, at their narrowest, and a new key pushes out
 * another.
 *
 * <pre>
 * a line:  [new keys, a ring][repeated keys, latest last][header]
 *
 * a key that is there becomes the latest of the repeated, unless it is one of the latest few
 *   already, or one of the two latest of the new
 * a key that is not pushes out the oldest of the repeated, if they are more than the target, else
 *   the oldest of the new, and becomes the latest of the new
 * a key that was the oldest of the repeated raises the target a little,
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
 * lanes about to be lost.
 *
 * <p>The header tells the oldest lane of the ring, its head. The next younger of a lane is the one
 * after it, and after the last the first, so the latest comes before the head. A new key takes the
 * place of the head, and nothing moves: moving all lanes by one took most of the time of a record.
 */
final class FullLines {
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

  private static final int LINES_PER_LEADER = 16;
  private static final int LEADER_WEIGHT = 4;

  /** Lines are sorted if the target is at least this share of their lanes, in twentieths. */
  private static final int SORT_FROM = 16;

  /** Sorted lines stay so while it is at least this share. */
  private static final int SORT_UNTIL = 13;

  private final Lanes lanes;
  private final int count;
  private final long all; // the set of all lanes
  private final long step;
  private final boolean maySort;
  private final long full; // the target if all lanes are for the repeated
  private long target; // lanes of a line for repeated keys, as a fixed-point number
  private int mostRepeated; // the same as a whole number
  private int quick; // so many repeated keys leave the short way to a new one

  FullLines(Lanes lanes, long lines, boolean maySort) {
    this.lanes = lanes;
    this.count = lanes.count();
    this.all = lanes.first(count);
    this.step = Math.min(MOST_STEP, Math.max(1, (STEPS_PER_LINE << FRACTION) / lines));
    this.full = (long) count << FRACTION;
    this.maySort = maySort;
    setTarget(full / 2);
  }

  long target() {
    return target;
  }

  /** The largest target. */
  long fullTarget() {
    return full;
  }

  void setTarget(long target) {
    this.target = target;
    this.mostRepeated = (int) (target >>> FRACTION);
    this.quick = areSorted() ? -1 : Math.min(mostRepeated, count - 1);
  }

  /** The lanes of a line for repeated keys. */
  int mostRepeated() {
    return mostRepeated;
  }

  /** Whether full lines are to be sorted, but for the leaders. */
  boolean areSorted() {
    return maySort && isTarget(SORT_FROM);
  }

  /** Whether sorted lines are to stay so. */
  boolean staySorted() {
    return isTarget(SORT_UNTIL);
  }

  private boolean isTarget(int twentieths) {
    return 20 * target >= twentieths * full;
  }

  /**
   * Whether a sorted line ages at a new key: the further the target is from full, the more do; at
   * three quarters all.
   */
  boolean ages(long fingerprint) {
    return Mix.reduce(fingerprint * Mix.GOLDEN, full) < 4 * (full - target);
  }

  /** Makes a full line of one that was filled in order: the oldest of the new is in lane 0. */
  void close(long[] line, int at, int repeated) {
    LineHeader.set(line, at, 0, repeated, LineHeader.FULL);
  }

  /** The lane of a fingerprint, or -1. */
  int find(long[] line, int at, long fingerprint) {
    return lanes.find(line, at, fingerprint, all);
  }

  /** Whether a new key just takes the place of the oldest of the new. */
  boolean isQuick(long header) {
    return LineHeader.repeated(header) <= quick;
  }

  /** Takes in a new key in place of the oldest of the new. */
  void replaceNew(long[] line, int at, long header, long fingerprint) {
    int head = LineHeader.used(header);
    lanes.set(line, at, head, fingerprint);
    boolean last = head == count - LineHeader.repeated(header) - 1;
    line[at + LineHeader.WORD] += (last ? -head : 1) * LineHeader.ONE_USED;
  }

  /** Takes in a new key. */
  void replace(long[] line, int at, long header, long fingerprint) {
    int news = count - LineHeader.repeated(header);
    if (news == 0 || count - news > mostRepeated) {
      replaceRepeated(line, at, LineHeader.used(header), news, fingerprint);
    } else {
      replaceNew(line, at, header, fingerprint);
    }
  }

  /** The oldest of the repeated is the neighbour of the ring, which grows by its lane. */
  private void replaceRepeated(long[] line, int at, int head, int news, long fingerprint) {
    line[at + LineHeader.WORD] -= LineHeader.ONE_REPEATED;
    if (head == 0) { // the latest is the last
      lanes.set(line, at, news, fingerprint);
    } else {
      lanes.insert(line, at, head, news, fingerprint);
      line[at + LineHeader.WORD] += LineHeader.ONE_USED;
    }
  }

  /** Whether there may be something to do for a key that is in a lane. */
  boolean isMove(long header, int lane) {
    int head = LineHeader.used(header);
    int news = count - LineHeader.repeated(header);
    return lane >= news || lane == head || !isBurst(later(lane, head, news));
  }

  /** How many keys of the ring came after that in a lane. */
  private static int later(int lane, int head, int news) {
    int lanes = head - 1 - lane;
    return lanes + ((lanes >> 31) & news);
  }

  /** Takes in a key that is in a lane. */
  void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    int repeated = LineHeader.repeated(header);
    int news = count - repeated;
    if (lane < news) {
      repeatNew(line, at, LineHeader.used(header), news, lane, fingerprint);
      return;
    }
    if (lane == news && repeated >= FEW) { // the oldest of fewer may have come just now
      setTarget(Math.min(full, target + weight(at)));
    }
    if (!isLate(count - 1 - lane, repeated)) {
      lanes.toBack(line, at, lane, fingerprint);
    }
  }

  private void repeatNew(long[] line, int at, int head, int news, int lane, long fingerprint) {
    if (lane == head) {
      setTarget(Math.max(0, target - weight(at)));
    }
    if (isBurst(later(lane, head, news))) {
      return;
    }
    // It leaves the ring, where those above it move down by one.
    int newHead = lane < head ? head - 1 : head == news - 1 ? 0 : head;
    line[at + LineHeader.WORD] += LineHeader.ONE_REPEATED + (newHead - head) * LineHeader.ONE_USED;
    lanes.toBack(line, at, lane, fingerprint);
  }

  /** Whether a new key with so many later ones is to stay where it is. */
  static boolean isBurst(int later) {
    return later < BURST;
  }

  /** Whether a repeated key with so many later ones is as good where it is, which costs nothing. */
  static boolean isLate(int later, int repeated) {
    return LATEST_PART * later < repeated;
  }

  /** One line in sixteen is a leader, which is never sorted and weighs more. */
  static boolean isLeader(int at) {
    return at / Lanes.WORDS % LINES_PER_LEADER == 0;
  }

  private long weight(int at) {
    return isLeader(at) ? Math.min(MOST_STEP, LEADER_WEIGHT * step) : step;
  }

  /** The new keys of a line, latest first. */
  LineUnion.Part newKeys(long[] line, int at, long header) {
    int head = LineHeader.used(header);
    long[] keys = new long[count - LineHeader.repeated(header)];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = lanes.get(line, at, (head + keys.length - 1 - i) % keys.length);
    }
    return new LineUnion.Part(keys);
  }
}
