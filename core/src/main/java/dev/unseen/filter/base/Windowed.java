package dev.unseen.filter.base;

import dev.unseen.filter.DuplicateFilter;

/** A filter in which a key counts as seen for a window only. */
public interface Windowed extends DuplicateFilter {
  /**
   * Returns the share of the window that the memory covers: how long recently forgotten keys were
   * kept on average, as a share of the window. If it is below 1, the memory is too small for the
   * window.
   */
  double coverage();

  /**
   * Returns the number of keys that were evicted before their window had passed, because there was
   * no room. It counts from the moment at which this object was created or loaded: it is not saved.
   */
  long pushedOut();

  /**
   * Returns whether a record of this time would be too late to be checked: the keys that it would
   * have to be compared with may have expired.
   */
  boolean isTooLate(long millis);

  /** Returns the number of records that were too late to be checked. */
  long tooLate();
}
