package dev.unseen.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The source of a property's input: numbers within bounds, which are random or replayed.
 *
 * <p>Everything that is drawn is made of numbers, and they are recorded. Any input can therefore be
 * made again from its numbers, and be made simpler by simpler numbers, whatever the generators do
 * with them: Hypothesis, the library for Python, shrinks in this way. A replayed number that does
 * not fit its bounds is moved into them. After the last recorded number, each number is the
 * simplest within its bounds, which is the one nearest to zero.
 */
public final class Choices {
  private static final int USUAL_EDGES = 8; // in a hundred numbers
  private static final int MANY_EDGES = 60;

  private final SplittableRandom random; // null if replaying
  private final int edges;
  private final long[] replayed;
  private final List<String> drawn; // null if it is not needed
  private long[] values = new long[16];
  private long[] simplest = new long[16];
  private int count;
  private int depth; // of nested draws

  private Choices(SplittableRandom random, int edges, long[] replayed, List<String> drawn) {
    this.random = random;
    this.edges = edges;
    this.replayed = replayed;
    this.drawn = drawn;
  }

  /**
   * Returns random choices. In one try of eight most numbers are edge cases, so that several occur
   * together.
   */
  static Choices random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Choices(random, random.nextInt(8) == 0 ? MANY_EDGES : USUAL_EDGES, null, null);
  }

  static Choices replaying(long... values) {
    return new Choices(null, 0, values, null);
  }

  /** Returns choices that replay these numbers and record the text of what is drawn. */
  static Choices reporting(long... values) {
    return new Choices(null, 0, values, new ArrayList<>());
  }

  /** Draws a value. A failure is reported with the value under this name. */
  public <T> T draw(String name, Generator<T> generator) {
    depth++;
    T value = generator.from(this);
    depth--;
    if (drawn != null && depth == 0) {
      drawn.add(name + " = " + Texts.of(value));
    }
    return value;
  }

  /** Draws a value that is only a part of another one: it is not reported. */
  public <T> T draw(Generator<T> generator) {
    return generator.from(this);
  }

  /**
   * Returns any number from {@code min} to {@code max}; often one at an edge, or with few digits.
   */
  long number(long min, long max) {
    return take(min, max, random == null ? 0 : telling(min, max));
  }

  /** Returns any number from 0 to below {@code count}, all equally likely. */
  int index(int count) {
    return (int) take(0, count - 1L, random == null ? 0 : random.nextInt(count));
  }

  /**
   * Returns the intended length of a list. This is not a choice, because {@link #more} makes the
   * choices.
   */
  int aim(int min, int max) {
    return random == null ? min : (int) telling(min, max);
  }

  /**
   * Returns whether a list continues. There is one choice per element, so that shrinking can remove
   * elements.
   */
  boolean more(int size, int min, int max, int aim) {
    if (size < min || size >= max) {
      return size < min;
    }
    return take(0, 1, size < aim ? 1 : 0) == 1;
  }

  private long take(long min, long max, long fresh) {
    long nearest = clamp(0, min, max);
    long value = fresh;
    if (random == null) {
      value = count < replayed.length ? clamp(replayed[count], min, max) : nearest;
    }
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
      simplest = Arrays.copyOf(simplest, 2 * count);
    }
    values[count] = value;
    simplest[count++] = nearest;
    return value;
  }

  private long telling(long min, long max) {
    long nearest = clamp(0, min, max);
    if (random.nextInt(100) < edges) {
      return edge(min, max, nearest);
    }
    if (random.nextBoolean()) { // any number of digits is equally likely
      int digits = Math.min(63, Long.SIZE - Long.numberOfLeadingZeros(max - min));
      long distance = digits == 0 ? 0 : random.nextLong() >>> (63 - random.nextInt(digits));
      long value = random.nextBoolean() ? nearest + distance : nearest - distance;
      if (min <= value && value <= max) { // false also if the value has overflowed
        return value;
      }
    }
    return uniform(min, max);
  }

  private long edge(long min, long max, long nearest) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> min;
      case 2, 3 -> max;
      case 4 -> clamp(min + 1, min, max);
      case 5 -> clamp(max - 1, min, max);
      default -> clamp(nearest + random.nextInt(-2, 3), min, max);
    };
  }

  private long uniform(long min, long max) {
    if (max < Long.MAX_VALUE) {
      return random.nextLong(min, max + 1);
    }
    return min > Long.MIN_VALUE ? random.nextLong(min - 1, max) + 1 : random.nextLong();
  }

  private static long clamp(long value, long min, long max) {
    return Math.max(min, Math.min(max, value));
  }

  long[] values() {
    return Arrays.copyOf(values, count);
  }

  /** Returns the simplest number for each of them. */
  long[] simplest() {
    return Arrays.copyOf(simplest, count);
  }

  /** Returns what was drawn, as one text per name. */
  List<String> drawn() {
    return drawn;
  }
}
