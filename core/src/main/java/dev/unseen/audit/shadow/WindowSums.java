package dev.unseen.audit.shadow;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * The additional counts of an audit if there is a window: the records in the last eighth of the
 * window, where either answer is right, and how often a key is let through both as new and as a
 * duplicate. Without a window there are no records of this kind, and a key is new once.
 */
final class WindowSums {
  long dropped; // treated as duplicates
  long admitted; // treated as new

  /** The sum over keys of the times let through as new, times those let through as a duplicate. */
  long crossed;

  void addGrey(boolean fresh) {
    dropped += fresh ? 0 : 1;
    admitted += fresh ? 1 : 0;
  }

  /** Counts a record let through, of a key let through this often for the other reason. */
  void addCrossed(long times) {
    crossed += times;
  }

  void addAll(WindowSums other) {
    dropped += other.dropped;
    admitted += other.admitted;
    crossed += other.crossed;
  }

  void state(StateVisitor visitor) throws IOException {
    dropped = visitor.count("audited records of either answer, dropped", dropped);
    admitted = visitor.count("audited records of either answer, let through", admitted);
    crossed = visitor.count("audited new times duplicate", crossed);
  }
}
