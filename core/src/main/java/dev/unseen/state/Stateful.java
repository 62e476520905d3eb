package dev.unseen.state;

import java.io.IOException;

/**
 * An object with a state that survives the process. One method visits the whole state both for
 * writing and for reading, so that nothing can be forgotten on one side.
 */
public interface Stateful {
  /** Visits the numbers first, always in the same order, and then the storage. */
  void state(StateVisitor visitor) throws IOException;
}
