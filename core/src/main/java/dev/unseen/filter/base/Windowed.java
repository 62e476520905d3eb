package dev.unseen.filter.base;

import dev.unseen.filter.DuplicateFilter;

/** A filter in which a key counts as seen for a window only. */
public interface Windowed extends DuplicateFilter {
  /**
   * If no record may be late, a record whose time is earlier than the latest one by more than this
   * number of milliseconds means that the clock was set back: the filter is {@linkplain #setBack
   * set back}, too.
   */
  long CLOCK_TOLERANCE = 10_000;

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

  /**
   * Returns whether a hash was surely seen after one moment and before another one. Moments are
   * milliseconds, or numbers of records. Unlike {@link #mightContain}, this does not depend on the
   * length of the window, but only on what the filter still holds. Changes nothing.
   */
  boolean wasSeen(long hash, long after, long before);

  /**
   * Moves the time on as {@link #admit(long, long)} would, for a record that is not to be
   * remembered.
   */
  void skip(long millis);

  /**
   * Sets the latest time back to this time, or to a little before it, because the clock was wrong.
   * All keys keep their ages, so none of them is kept for longer than the window and the lateness.
   * If the latest time is not later, nothing changes.
   */
  void setBack(long millis);

  /** Returns the number of records so far, if the window is one of records. */
  long records();

  /** Returns the number of records that were too late to be checked. */
  long tooLate();
}
