package dev.unseen.filter;

/** A filter whose keys count as seen for a window only. */
public interface Windowed extends DuplicateFilter {
  /**
   * How much of the window the memory covers: the share of it that keys were kept for, on average
   * over those that left lately. Below 1, memory is too small for the window.
   */
  double coverage();
}
