package dev.unseen.audit.shadow;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * The additional counts of an audit if there is a window: the records in the last eighth of the
 * window, where either answer is right, and how often a key is let through both as new and as a
 * duplicate. Without a window there are no records of this kind, and a key is new once.
 */
final class WindowSums {
  private static final long UNKNOWN = -1; // read from an old state that did not contain them

  private long dropped;
  private long admitted;
  private long crossed;

  /** Counts a record in the last eighth of a window. */
  void addGrey(boolean fresh) {
    dropped += isKnown() && !fresh ? 1 : 0;
    admitted += isKnown() && fresh ? 1 : 0;
  }

  /**
   * Counts a record that was let through, of a key that was let through this number of times for
   * the other reason.
   */
  void addCrossed(long times) {
    crossed += isKnown() ? times : 0;
  }

  void addAll(WindowSums other) {
    dropped = isKnown() && other.isKnown() ? dropped + other.dropped : UNKNOWN;
    admitted += other.admitted;
    crossed += other.crossed;
  }

  boolean isKnown() {
    return dropped != UNKNOWN;
  }

  /**
   * Returns the number of records in the last eighth of a window that were treated as duplicates.
   */
  long dropped() {
    return dropped;
  }

  /** Returns the number of records in the last eighth of a window that were treated as new. */
  long admitted() {
    return admitted;
  }

  /**
   * Returns the sum over keys of the times let through as new, multiplied by the times let through
   * as a duplicate.
   */
  long crossed() {
    return crossed;
  }

  void state(StateVisitor visitor) throws IOException {
    dropped = visitor.later("audited records of either answer, dropped", dropped, UNKNOWN);
    admitted = visitor.later("audited records of either answer, let through", admitted, 0);
    crossed = visitor.later("audited new times duplicate", crossed, 0);
  }
}
