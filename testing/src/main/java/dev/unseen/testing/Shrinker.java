package dev.unseen.testing;

import java.time.Duration;
import java.util.Arrays;

/**
 * Looks for fewer and simpler choices on which a property fails in the same way.
 *
 * <pre>
 * repeat, until nothing changes or time is up:
 *   cut out runs of choices, long runs first
 *   move each choice to its simplest number, or by halves as near to it as the property still fails
 * </pre>
 *
 * <p>Each accepted candidate is shorter, or as long and nearer to the simplest, so the search ends.
 */
final class Shrinker {
  private final PropertyCheck property;
  private final Class<?> kind; // the type of the failure: another type would be another bug
  private final long deadline;
  private long[] best;
  private long[] simplest;
  private int runs;

  Shrinker(PropertyCheck property, Choices failing, Throwable failure, Duration limit) {
    this.property = property;
    this.kind = failure.getClass();
    this.deadline = System.nanoTime() + limit.toNanos();
    this.best = failing.values();
    this.simplest = failing.simplest();
  }

  /** Returns the simplest choices that were found. */
  long[] shrink() {
    boolean changed = true;
    while (changed && hasTime()) {
      changed = cutOut();
      changed |= simplify();
    }
    return best;
  }

  int runs() {
    return runs;
  }

  private boolean cutOut() {
    boolean changed = false;
    for (int size = Integer.highestOneBit(best.length); size > 0; size = shorter(size)) {
      for (int from = best.length - size; from >= 0 && hasTime(); from--) {
        if (from + size <= best.length && fails(without(from, size))) {
          changed = true;
          from = Math.min(from, best.length - size + 1); // the next to look at is one less
        }
      }
    }
    return changed;
  }

  /**
   * Returns the next smaller size: by halves, and then by one, because an element of a list may
   * consist of any small number of choices.
   */
  private static int shorter(int size) {
    return size > 8 ? size / 2 : size - 1;
  }

  private long[] without(int from, int size) {
    long[] rest = Arrays.copyOf(best, best.length - size);
    System.arraycopy(best, from + size, rest, from, rest.length - from);
    return rest;
  }

  private boolean simplify() {
    boolean changed = false;
    for (int i = 0; i < best.length && hasTime(); i++) {
      if (best[i] != simplest[i]) {
        changed |= fails(with(i, simplest[i])) || approach(i);
      }
    }
    return changed;
  }

  /**
   * Moves a choice nearer to the simplest number by half the way, then by a quarter, down to one.
   */
  private boolean approach(int i) {
    boolean changed = false;
    boolean above = best[i] > simplest[i];
    for (long step = distance(best[i], simplest[i]) >>> 1; step > 0 && hasTime(); step >>>= 1) {
      while (i < best.length
          && Long.compareUnsigned(distance(best[i], simplest[i]), step) > 0
          && fails(with(i, above ? best[i] - step : best[i] + step))) {
        changed = true;
      }
    }
    return changed;
  }

  private long[] with(int i, long value) {
    long[] changed = best.clone();
    changed[i] = value;
    return changed;
  }

  /** Accepts the choices if the property fails on them in the same way and they are simpler. */
  private boolean fails(long[] candidate) {
    runs++;
    Choices choices = Choices.replaying(candidate);
    Throwable failure = property.failure(choices);
    if (failure == null || failure.getClass() != kind) {
      return false;
    }
    long[] values = choices.values();
    long[] bounds = choices.simplest();
    if (!isSimpler(values, bounds)) {
      return false;
    }
    best = values;
    simplest = bounds;
    return true;
  }

  private boolean isSimpler(long[] values, long[] bounds) {
    if (values.length != best.length) {
      return values.length < best.length;
    }
    for (int i = 0; i < values.length; i++) {
      int order =
          Long.compareUnsigned(distance(values[i], bounds[i]), distance(best[i], simplest[i]));
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }

  /** Returns the distance without a sign: from zero to the smallest long it is 2^63. */
  private static long distance(long value, long simplest) {
    return value > simplest ? value - simplest : simplest - value;
  }

  private boolean hasTime() {
    return System.nanoTime() < deadline;
  }
}
