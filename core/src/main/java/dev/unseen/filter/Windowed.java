package dev.unseen.filter;

/** A filter in which a key counts as seen for a window only. */
public interface Windowed extends DuplicateFilter {
  /**
   * Returns the share of the window that the memory covers: how long recently forgotten keys were
   * kept on average, as a share of the window. If it is below 1, the memory is too small for the
   * window.
   */
  double coverage();
}
