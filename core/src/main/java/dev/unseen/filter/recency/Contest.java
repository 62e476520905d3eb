package dev.unseen.filter.recency;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Finds out whether full lines had better keep what they have. Some lines have a twin (see {@link
 * Twins}), which takes in the same records the other way: it keeps while the lines do not, and
 * while they do, it does not. A record that one of the two has forgotten and the other still knows
 * is a point for the other.
 *
 * <p>Points are compared as the throws of a coin would be: the other way is better when its lead is
 * so many times the root of all points that chance does not explain it. Only records that tell the
 * ways apart count, so a popular key, which both know, has no vote, however often it comes.
 * (Dueling by sets of a cache, Qureshi et al., ISCA 2007, compares the hits of different lines
 * instead; there a single popular key decides.)
 *
 * <p>The choice follows a stream that changes: when there are many points, half of them are
 * forgotten.
 */
final class Contest {
  /** The lead of a twin that keeps, in roots of the points: keeping forgets what is new. */
  private static final int LEAD_OF_KEEPING = 6;

  /** The lead of a twin that does not keep. */
  private static final int LEAD = 4;

  private static final int MOST_POINTS = 128;

  private final long round;
  private boolean keeping; // whether the lines keep what they have
  private long lines; // points
  private long twins;
  private long warmUp; // new records before points count

  /**
   * Starts a contest.
   *
   * @param round the new records in which all twins change all their keys. After a change, points
   *     count after a round: before, line and twin differ by what they had, and not by what they
   *     forget. 0 if there are no twins, and so never a change
   */
  Contest(long round) {
    this.round = round;
    this.warmUp = round;
  }

  /** Returns whether the lines keep what they have. */
  boolean isKeeping() {
    return keeping;
  }

  /**
   * Learns of a record that is new to a line, to its twin, or to both; returns whether lines and
   * twins change their ways.
   */
  boolean record(boolean newToLine, boolean newToTwin) {
    if (warmUp > 0) {
      warmUp--;
      return false;
    }
    if (newToLine == newToTwin) {
      return false;
    }
    lines += newToLine ? 0 : 1;
    twins += newToTwin ? 0 : 1;
    double lead = (twins - lines) / Math.sqrt((double) twins + lines);
    if (lead >= (keeping ? LEAD : LEAD_OF_KEEPING)) {
      start(!keeping);
      return true;
    }
    if (twins + lines == MOST_POINTS) {
      twins /= 2;
      lines /= 2;
    }
    return false;
  }

  private void start(boolean keep) {
    keeping = keep;
    lines = 0;
    twins = 0;
    warmUp = round;
  }

  /** Keeps if one of both does; if they differ, the contest starts anew. */
  void merge(Contest other) {
    if (keeping == other.keeping) {
      lines = (lines + other.lines) / 2;
      twins = (twins + other.twins) / 2;
      warmUp = Math.min(warmUp, other.warmUp);
    } else {
      start(true);
    }
  }

  /** Shows what was learned, to write it or to read it. */
  void state(StateVisitor visitor) throws IOException {
    keeping = visitor.number("keeping", keeping ? 1 : 0, 0, round == 0 ? 0 : 1) == 1;
    lines = visitor.number("points of lines", lines, 0, MOST_POINTS - 1);
    twins = visitor.number("points of twins", twins, 0, MOST_POINTS - 1 - lines);
    warmUp = visitor.number("warm-up", warmUp, 0, round);
  }
}
