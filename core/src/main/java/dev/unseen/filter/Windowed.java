package dev.unseen.filter;

/** A filter in which a key counts as seen for a window only. */
public interface Windowed extends DuplicateFilter {
  /**
   * Returns the share of the window that the memory covers: how long recently forgotten keys were
   * kept on average, as a share of the window. If it is below 1, the memory is too small for the
   * window.
   */
  double coverage();

  /**
   * Returns the number of keys that were pushed out before their window had passed, because there
   * was no room. It counts from the moment at which this object was created or loaded: it is not
   * saved.
   */
  long pushedOut();
}
