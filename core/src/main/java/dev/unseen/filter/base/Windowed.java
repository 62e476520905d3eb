package dev.unseen.filter.base;

/** A filter that knows when it has seen a key, because it has a window. */
public interface Windowed extends DuplicateFilter {
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

  /** Returns the number of records so far, if the window is one of records. */
  long records();
}
