package dev.unseen.filter.recency;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * Decides whether full lines should keep their keys or replace them. Some lines have a twin (see
 * {@link Twins}), which receives the same records and does the opposite: it keeps its keys while
 * the lines do not, and the other way round. If one of the two has forgotten the key of a record
 * and the other still knows it, the other gets a point.
 *
 * <pre>
 * a point for the twin raises the lead by 1; a point for the line lowers it by 2, but not below 0
 * lines and twins exchange their ways when the lead is 16, or the clear lead 24
 *   the lead counts after a round, in which all twins replace all their keys
 *   the clear lead counts at once, but everything that the line knows lowers it by 2
 * </pre>
 *
 * <p>The lead is Page's cumulative sum (Biometrika 1954), which finds a change sooner than a
 * comparison of counts does: however long the lines were better, the sum is 0 when the twins become
 * better. It rises for long only if twins get more than two points of three. Only records on which
 * the two differ count, so a popular key, which both know, has no influence, however often it
 * comes. (Dueling by sets of a cache, Qureshi et al., ISCA 2007, compares the hits of different
 * lines instead; there a single popular key decides.)
 *
 * <p>Before a round has passed, a line and its twin differ because of the keys that they held, and
 * not because of what they forget. Then the twins have to find three times as many keys as the
 * lines: if the lines find next to nothing, as in a loop, there is nothing to lose.
 */
final class Contest {
  /** The lead with which twins have shown that their way is better. */
  private static final int LEAD = 16;

  /** The lead over everything that the lines know. */
  private static final int CLEAR_LEAD = 24;

  private static final int LINE_WEIGHT = 2;

  private final long round;
  private boolean keeping; // whether the lines keep their keys
  private long lead;
  private long clearLead;
  private long warmUp; // the number of new records before the lead counts

  /**
   * Starts a contest.
   *
   * @param round the number of new records in which all twins replace all their keys. 0 if there
   *     are no twins, and so never a change
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
   * Counts a record of a line that has a twin. Returns whether the lines and twins exchange their
   * ways.
   */
  boolean record(boolean newToLine, boolean newToTwin) {
    boolean forTwin = newToLine && !newToTwin;
    if (forTwin) {
      clearLead++;
    } else if (!newToLine) {
      clearLead = Math.max(0, clearLead - LINE_WEIGHT);
    }
    if (warmUp > 0) {
      warmUp -= newToLine || newToTwin ? 1 : 0;
    } else if (forTwin) {
      lead++;
    } else if (newToTwin && !newToLine) {
      lead = Math.max(0, lead - LINE_WEIGHT);
    }
    if (lead < LEAD && clearLead < CLEAR_LEAD) {
      return false;
    }
    start(!keeping);
    return true;
  }

  private void start(boolean keep) {
    keeping = keep;
    lead = 0;
    clearLead = 0;
    warmUp = round;
  }

  /**
   * Merges another contest: the lines keep their keys if they do in either. If the two differ, the
   * contest starts again.
   */
  void merge(Contest other) {
    if (keeping == other.keeping) {
      lead = (lead + other.lead) / 2;
      clearLead = (clearLead + other.clearLead) / 2;
      warmUp = Math.min(warmUp, other.warmUp);
    } else {
      start(true);
    }
  }

  /** Visits the leads and the decision. */
  void state(StateVisitor visitor) throws IOException {
    keeping = visitor.number("keeping", keeping ? 1 : 0, 0, round == 0 ? 0 : 1) == 1;
    lead = visitor.number("lead", lead, 0, LEAD - 1);
    clearLead = visitor.number("clear lead", clearLead, 0, CLEAR_LEAD - 1);
    warmUp = visitor.number("warm-up", warmUp, 0, round);
  }
}
