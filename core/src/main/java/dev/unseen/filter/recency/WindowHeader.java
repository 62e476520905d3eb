package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.Window;
import dev.unseen.state.StorageCheck;

/**
 * The header of a line with a window, the last of its words.
 *
 * <pre>
 *   [count 0][count 1]...[count 7][level][step]
 *    6 bits each                   4      12
 * </pre>
 *
 * Lanes are in the order of their age, the latest first, so eight counts tell the ages of all: the
 * first {@code count(i)} lanes are at most i steps old. As a step passes, all counts move up by
 * one. The level is that of the line's shape. The step is the one at which the line was last used,
 * modulo 4096.
 */
final class WindowHeader {
  /** The number of bits of a header. */
  static final int BITS = Long.SIZE;

  private static final int COUNT_BITS = 6;
  private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
  private static final int LEVEL_SHIFT = Window.STEPS * COUNT_BITS;
  private static final int LEVEL_MASK = Narrowing.MAX_SHAPES - 1;
  private static final int STEP_SHIFT = LEVEL_SHIFT + 4;
  private static final int STEP_MASK = (1 << (Long.SIZE - STEP_SHIFT)) - 1;
  private static final long COUNTS_MASK = (1L << LEVEL_SHIFT) - 1;
  private static final int LAST_COUNT = LEVEL_SHIFT - COUNT_BITS;

  /** Adding this to a header adds 1 to each count. */
  static final long ONE_EACH = COUNTS_MASK / COUNT_MASK;

  /** Adding this to a header adds 1 to its level. */
  static final long ONE_LEVEL = 1L << LEVEL_SHIFT;

  private WindowHeader() {}

  /** Returns the header of a line in which no lane is in use. */
  static long empty(int level, long step) {
    return level * ONE_LEVEL | (step & STEP_MASK) << STEP_SHIFT;
  }

  /** Returns the header of a line at this step, given the header at its last use. */
  static long at(long step, long last) {
    long age = (step - (last >>> STEP_SHIFT)) & STEP_MASK;
    long counts = age >= Window.STEPS ? 0 : (last << (age * COUNT_BITS)) & COUNTS_MASK;
    int level = counts >>> LAST_COUNT == 0 ? 0 : level(last); // an empty line starts wide again
    return counts | empty(level, step);
  }

  /** Returns the level of a line. */
  static int level(long header) {
    return (int) (header >>> LEVEL_SHIFT) & LEVEL_MASK;
  }

  /** Returns the number of lanes in use. */
  static int used(long header) {
    return (int) (header >>> LAST_COUNT) & COUNT_MASK;
  }

  /** Returns the number of lanes that are at most this number of steps old. */
  static int count(long header, int age) {
    return (int) (header >>> (age * COUNT_BITS)) & COUNT_MASK;
  }

  /**
   * Refuses a header that no line can have: one without a shape, or counts that do not grow with
   * the age or exceed the lanes of the shape.
   *
   * @throws IllegalArgumentException with the reason
   */
  static void check(long header, Lanes[] shapes) {
    StorageCheck.requireBetween("level", level(header), 0, shapes.length - 1);
    int lanes = shapes[level(header)].count();
    StorageCheck.requireBetween("lanes in use", used(header), 0, lanes);
    for (int age = 1; age < Window.STEPS; age++) {
      StorageCheck.requireBetween("younger lanes", count(header, age - 1), 0, count(header, age));
    }
  }

  /** Returns what to add to a header for this number of additional lanes of this age. */
  static long add(int lanes, int age) {
    return (long) lanes << (age * COUNT_BITS);
  }

  /**
   * Returns 1 in each count that does not include a lane: the counts of ages younger than its own.
   */
  static long youngerThan(long header, int lane) {
    long ones = 0;
    for (int i = 0; ((header >>> i) & COUNT_MASK) <= lane; i += COUNT_BITS) {
      ones |= 1L << i; // ends before the last count, since the lane is in use
    }
    return ones;
  }
}
