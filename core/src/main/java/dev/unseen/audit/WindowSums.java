package dev.unseen.audit;

import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * What an audit counts besides if there is a window: the records in the last eighth of a window,
 * where either answer is right, and how often a key is let through as new and as a duplicate both.
 * Without a window there are no such records, and a key is new once.
 */
final class WindowSums {
  private static final long UNKNOWN = -1; // read from a state that did not have them yet

  private long refused;
  private long admitted;
  private long crossed;

  /** Counts a record in the last eighth of a window. */
  void addGrey(boolean fresh) {
    refused += isKnown() && !fresh ? 1 : 0;
    admitted += isKnown() && fresh ? 1 : 0;
  }

  /** Counts a record let through of a key that was let through so often for the other reason. */
  void addCrossed(long times) {
    crossed += isKnown() ? times : 0;
  }

  void addAll(WindowSums other) {
    refused = isKnown() && other.isKnown() ? refused + other.refused : UNKNOWN;
    admitted += other.admitted;
    crossed += other.crossed;
  }

  boolean isKnown() {
    return refused != UNKNOWN;
  }

  /** Records in the last eighth of a window that were taken for duplicates. */
  long refused() {
    return refused;
  }

  /** Records in the last eighth of a window that were taken for new. */
  long admitted() {
    return admitted;
  }

  /** Over keys, the sum of times let through as new times times let through as a duplicate. */
  long crossed() {
    return crossed;
  }

  void state(StateVisitor visitor) throws IOException {
    refused = visitor.later("audited records of either answer, refused", refused, UNKNOWN);
    admitted = visitor.later("audited records of either answer, let through", admitted, 0);
    crossed = visitor.later("audited new times duplicate", crossed, 0);
  }
}
