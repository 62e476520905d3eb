package dev.unseen.filter.recency;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Decides whether full lines should keep their keys or replace them. Some lines have a twin (see
 * {@link Twins}), which receives the same records and does the opposite: it keeps its keys while
 * the lines do not, and the other way round. If one of the two has forgotten the key of a record
 * and the other still knows it, the other gets a point.
 *
 * <p>Points are compared as the throws of a coin would be: the other way is better if its lead, as
 * a multiple of the square root of all points, is larger than chance explains. Only records on
 * which the two differ count, so a popular key, which both know, has no influence, however often it
 * comes. (Dueling by sets of a cache, Qureshi et al., ISCA 2007, compares the hits of different
 * lines instead; there a single popular key decides.)
 *
 * <p>The choice follows a stream that changes: when there are many points, half of them are
 * dropped.
 */
final class Contest {
  /**
   * The lead that a twin needs if it keeps its keys, in square roots of the points. It is larger
   * because keeping forgets new keys.
   */
  private static final int LEAD_OF_KEEPING = 6;

  /** The lead that a twin needs if it does not keep its keys. */
  private static final int LEAD = 4;

  private static final int MOST_POINTS = 128;

  private final long round;
  private boolean keeping; // whether the lines keep their keys
  private long lines; // points of the lines
  private long twins;
  private long warmUp; // the number of new records before points count

  /**
   * Starts a contest.
   *
   * @param round the number of new records in which all twins replace all their keys. After a
   *     change, points count only after a round: before, a line and its twin differ because of
   *     their old keys, and not because of what they forget. 0 if there are no twins, and so never
   *     a change
   */
  Contest(long round) {
    this.round = round;
    this.warmUp = round;
  }

  /** Returns whether the lines keep their keys. */
  boolean isKeeping() {
    return keeping;
  }

  /**
   * Counts a record that is new to a line, to its twin, or to both. Returns whether the lines and
   * twins exchange their ways.
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

  /**
   * Merges another contest: the lines keep their keys if they do in either. If the two differ, the
   * contest starts again.
   */
  void merge(Contest other) {
    if (keeping == other.keeping) {
      lines = (lines + other.lines) / 2;
      twins = (twins + other.twins) / 2;
      warmUp = Math.min(warmUp, other.warmUp);
    } else {
      start(true);
    }
  }

  /** Visits the points and the decision. */
  void state(StateVisitor visitor) throws IOException {
    keeping = visitor.number("keeping", keeping ? 1 : 0, 0, round == 0 ? 0 : 1) == 1;
    lines = visitor.number("points of lines", lines, 0, MOST_POINTS - 1);
    twins = visitor.number("points of twins", twins, 0, MOST_POINTS - 1 - lines);
    warmUp = visitor.number("warm-up", warmUp, 0, round);
  }
}
