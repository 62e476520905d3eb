package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Learns from the stream how many lanes of a full line are for repeated keys. The target is one
 * fixed-point number for the whole filter.
 *
 * <pre>
 * a hit on the oldest of the repeated keys of a full line: the key was nearly lost; raise the target
 * a hit on the oldest of the new keys of a full line: lower it
 * </pre>
 *
 * <p>It settles where one more lane would be equally useful to both. If keys come exactly twice, it
 * falls to nothing; if some keys are popular, it climbs to nearly all lanes, and full lines are
 * sorted. One line in sixteen is a leader: it is not sorted then, so that the target continues to
 * learn from it, and its hits weigh more.
 */
final class Target {
  /** The number of bits of the target after the binary point. */
  private static final int FRACTION = 32;

  /** The target moves by this number of lanes if each line has one hit in a last lane. */
  private static final long LANES_PER_ROUND = 128;

  /** One hit moves the target by half a lane at most, however few lines there are. */
  private static final long MOST_STEP = 1L << (FRACTION - 1);

  private static final int LINES_PER_LEADER = 16;
  private static final int LEADER_WEIGHT = 4;

  /** Lines are sorted if the target is at least this share of their lanes, in twentieths. */
  private static final int SORT_FROM = 14;

  /** Sorted lines stay sorted while the target is at least this share of their lanes. */
  private static final int SORT_UNTIL = 11;

  private final int capacity;
  private final boolean maySort;
  private final long step;
  private final long full; // the target if all lanes are for the repeated
  private long target;

  // Values that are derived from the target.
  private int lanes;
  private int quick; // the largest number of repeated keys for the short way
  private boolean sorts;
  private boolean staysSorted;

  Target(int capacity, long lines, boolean maySort) {
    this.capacity = capacity;
    this.maySort = maySort;
    this.step = Math.min(MOST_STEP, Math.max(1, (LANES_PER_ROUND << FRACTION) / lines));
    this.full = (long) capacity << FRACTION;
    set(full * 3 / 5);
  }

  long value() {
    return target;
  }

  void set(long value) {
    target = value;
    lanes = (int) (value >>> FRACTION);
    sorts = maySort && isAtLeast(SORT_FROM);
    quick = sorts ? -1 : Math.min(lanes, capacity - 1);
    staysSorted = isAtLeast(SORT_UNTIL);
  }

  private boolean isAtLeast(int twentieths) {
    return 20 * target >= twentieths * full;
  }

  void state(StateVisitor visitor) throws IOException {
    long value = visitor.number("target", target, 0, full);
    set(value);
  }

  /** Sets the target to the mean of this target and another. */
  void merge(Target other) {
    set((target + other.target) / 2);
  }

  /** Raises the target, because a repeated key of a line was nearly lost. */
  void raise(int at) {
    set(Math.min(full, target + weight(at)));
  }

  /** Lowers the target, because a new key of a line was nearly lost. */
  void lower(int at) {
    set(Math.max(0, target - weight(at)));
  }

  private long weight(int at) {
    return isLeader(at) ? Math.min(MOST_STEP, LEADER_WEIGHT * step) : step;
  }

  private static boolean isLeader(int at) {
    return at / Lanes.WORDS % LINES_PER_LEADER == LINES_PER_LEADER / 2;
  }

  int lanes() {
    return lanes;
  }

  /** Returns whether a new key replaces the oldest new one, and lines are not to be sorted. */
  boolean isQuick(int repeated) {
    return repeated <= quick;
  }

  /** Returns whether the full line that begins at a word should be sorted. */
  boolean sorts(int at) {
    return sorts && !isLeader(at);
  }

  /** Returns whether the sorted line at a word stays sorted. A leader is not to. */
  boolean staysSorted(int at) {
    return staysSorted && !isLeader(at);
  }

  /**
   * Returns whether a new key ages its sorted line: none at a full target, all at three quarters.
   */
  boolean ages(long fingerprint) {
    return Mix.reduce(fingerprint * Mix.GOLDEN, full) < 4 * (full - target);
  }
}
