package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.Refresh;
import dev.unseen.state.StorageCheck;

/**
 * The full lines of RECENCY: all lanes are in use, at their narrowest, and a new key evicts
 * another.
 *
 * <pre>
 * a line:  [new keys, a ring][repeated keys, latest last][header]
 *
 * for each element e, in its line:
 *   if a lane holds its fingerprint: e is a DUPLICATE
 *     if it is the oldest of the repeated, raise the target; if it is the oldest of the new, lower it
 *     e becomes the latest of the repeated, unless it is one of the latest few already, or one of
 *       the two latest of the new
 *   else e is DISTINCT: it becomes the latest of the new, and evicts the oldest of the repeated,
 *     if they are more than the target, else the oldest of the new
 * </pre>
 *
 * <p>The place of a lane shows its age, so no bit is needed for it. A key that is repeated at once
 * and then never again is not popular: bursts do not count. The two queues are those of 2Q (Johnson
 * and Shasha, VLDB 1994) and ARC (Megiddo and Modha, FAST 2003). They move the border according to
 * the keys that they have lost, which would take too much memory here; ours follows the use of the
 * lanes that are lost next (see {@link Target}).
 *
 * <p>The head is the oldest lane of the ring. The next younger of a lane is the one after it, and
 * after the last the first, so the latest comes before the head. A new key takes the place of the
 * head, and nothing moves: moving all lanes by one took most of the time of a record.
 */
final class FullLines extends Lines {
  /** The smallest number of repeated keys for which a hit on the oldest is informative. */
  private static final int FEW = 3;

  private final Lanes lanes;
  private final int count;
  private final long all; // the set of all lanes
  private final Target target;
  private final Refresh refresh;
  private final boolean refreshes; // whether a duplicate moves its key

  FullLines(Lanes lanes, Target target, Refresh refresh) {
    this.lanes = lanes;
    this.count = lanes.count();
    this.all = lanes.first(count);
    this.target = target;
    this.refresh = refresh;
    this.refreshes = refresh == Refresh.ADAPTIVE;
  }

  private static int head(long header) {
    return first(header);
  }

  static int repeated(long header) {
    return second(header);
  }

  /** Turns a line that has filled up into a full line. Its oldest new key is in lane 0. */
  static void open(long[] line, int at, int repeated) {
    setHeader(line, at, 0, repeated, FULL);
  }

  @Override
  int find(long[] line, int at, long header, long fingerprint) {
    return lanes.find(line, at, fingerprint, all);
  }

  @Override
  void add(long[] line, int at, long header, long fingerprint) {
    int repeated = repeated(header);
    if (repeated <= target.lanes() && repeated < count) {
      replaceNew(line, at, header, fingerprint);
    } else {
      replaceRepeated(line, at, header, fingerprint);
    }
  }

  /** Replaces the oldest new key by another: see {@link Target#isQuick}. */
  void replaceNew(long[] line, int at, long header, long fingerprint) {
    int head = head(header);
    lanes.set(line, at, head, fingerprint);
    boolean last = head == count - repeated(header) - 1;
    line[at + HEADER_WORD] += (last ? -head : 1) * ONE_FIRST;
  }

  /** Replaces the oldest repeated key. It is next to the ring, which grows by its lane. */
  private void replaceRepeated(long[] line, int at, long header, long fingerprint) {
    int head = head(header);
    int news = count - repeated(header);
    line[at + HEADER_WORD] -= ONE_SECOND;
    if (head == 0) { // the latest is the last
      lanes.set(line, at, news, fingerprint);
    } else {
      lanes.insert(line, at, head, news, fingerprint);
      line[at + HEADER_WORD] += ONE_FIRST;
    }
  }

  /** Returns whether a duplicate of the key in a lane may change the line. */
  private boolean isMove(long header, int lane) {
    int head = head(header);
    int news = count - repeated(header);
    return lane >= news || lane == head || !isBurst(later(lane, head, news));
  }

  /** Returns the number of keys in the ring that came after the key in a lane. */
  private static int later(int lane, int head, int news) {
    int lanes = head - 1 - lane;
    return lanes + ((lanes >> 31) & news);
  }

  @Override
  boolean isNew(long[] line, int at, long header, int lane) {
    return lane < count - repeated(header);
  }

  @Override
  void repeat(long[] line, int at, long header, int lane, long fingerprint) {
    if (isMove(header, lane) && refreshes) {
      move(line, at, header, lane, fingerprint);
    }
  }

  private void move(long[] line, int at, long header, int lane, long fingerprint) {
    int repeated = repeated(header);
    int news = count - repeated;
    if (lane < news) {
      moveNew(line, at, head(header), news, lane, fingerprint);
      return;
    }
    if (lane == news && repeated >= FEW) { // the oldest of fewer may have come just now
      target.raise(at);
    }
    if (!isLate(count - 1 - lane, repeated)) {
      lanes.toBack(line, at, lane, fingerprint);
    }
  }

  private void moveNew(long[] line, int at, int head, int news, int lane, long fingerprint) {
    if (lane == head) {
      target.lower(at);
    }
    if (isBurst(later(lane, head, news))) {
      return;
    }
    // It leaves the ring, where the lanes above it move down by one.
    int newHead = lane < head ? head - 1 : head == news - 1 ? 0 : head;
    line[at + HEADER_WORD] += ONE_SECOND + (newHead - head) * ONE_FIRST;
    lanes.toBack(line, at, lane, fingerprint);
  }

  @Override
  boolean hasNoRoom(long header) {
    return true;
  }

  @Override
  int lanesUsed(long header) {
    return count;
  }

  @Override
  void check(long[] line, int at, long header) {
    if (refresh == Refresh.ALWAYS) {
      throw new IllegalArgumentException(
          "it is a full line, which a filter that always refreshes never has");
    }
    int repeated = repeated(header);
    StorageCheck.requireBetween("repeated keys", repeated, 0, refreshes ? count : 0);
    StorageCheck.requireBetween("head", head(header), 0, Math.max(0, count - repeated - 1));
  }

  @Override
  long[] newKeys(long[] line, int at, long header) {
    int head = head(header);
    long[] keys = new long[count - repeated(header)];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = lanes.get(line, at, (head + keys.length - 1 - i) % keys.length);
    }
    return keys;
  }

  @Override
  long[] repeatedKeys(long[] line, int at, long header) {
    return lanes.get(line, at, count - 1, -1, repeated(header));
  }
}
