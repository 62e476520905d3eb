package dev.unseen.filter.recency;

import dev.unseen.filter.Window;

/**
 * How the lines of a filter count time: in groups of one or more steps.
 *
 * <p>A step is an eighth of the window. A key must be remembered for a window, and for the time by
 * which a record may be late in addition, because a late record is compared by its own time. Up to
 * 16 groups fit into a line, so if a record may be late by more than one window, a group is several
 * steps long, and each key has a note of a few bits: its step within the group.
 *
 * @param lateSteps the number of steps by which a record may be late
 * @param groups the number of groups that a line distinguishes
 * @param noteBits the number of bits of a note; a group is two to the power of it steps long
 */
record WindowLayout(int lateSteps, int groups, int noteBits) {
  private static final int MOST_GROUPS = 16;

  static WindowLayout of(Window window) {
    int late = Math.toIntExact(window.lateSteps());
    int steps = Window.STEPS + late;
    if (steps <= MOST_GROUPS) {
      return new WindowLayout(late, steps, 0);
    }
    int noteBits = 1;
    while (groups(steps, noteBits) > MOST_GROUPS) {
      noteBits++;
    }
    return new WindowLayout(late, groups(steps, noteBits), noteBits);
  }

  /** Returns the number of groups that any span of these steps can touch. */
  private static int groups(int steps, int noteBits) {
    return ((steps - 1) >> noteBits) + 2;
  }

  long groupOf(long step) {
    return step >> noteBits;
  }
}
