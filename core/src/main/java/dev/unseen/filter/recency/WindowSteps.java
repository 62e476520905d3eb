package dev.unseen.filter.recency;

import dev.unseen.filter.Window;

/**
 * The steps in which a window is followed: an eighth of it each, counted from moment 0 on. A moment
 * is a time in milliseconds, or the number of a record.
 *
 * @param length the length of the window
 */
record WindowSteps(long length) {
  /** Returns the step that a moment belongs to. */
  long stepOf(long moment) {
    long whole = Math.floorDiv(moment, length); // in two parts, since moment * 8 may overflow
    return whole * Window.STEPS + Math.floorMod(moment, length) * Window.STEPS / length;
  }

  /** Returns the first moment of a step. */
  long firstMomentOf(long step) {
    long part = Math.floorMod(step, Window.STEPS) * length;
    return Math.floorDiv(step, Window.STEPS) * length + (part + Window.STEPS - 1) / Window.STEPS;
  }
}
