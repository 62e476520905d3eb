package dev.unseen.state;

import java.io.IOException;

/**
 * Has a state that outlives the process. One method shows all of it, for writing and for reading
 * alike, so that nothing can be forgotten on one side.
 */
public interface Stateful {
  /** Shows the numbers first, always in the same order, and then the storage. */
  void state(StateVisitor visitor) throws IOException;
}
