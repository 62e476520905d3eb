package dev.unseen.lab.stream;

import dev.unseen.bits.SplitMix64;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The distribution of distances back to a repeated record: 1, 2, 3 and so on. */
@FunctionalInterface
public interface Distances {
  /** Draws a distance. */
  long draw(SplitMix64 random);

  /** Returns distances that are uniform over the last {@code window} records. */
  static Distances within(long window) {
    if (window < 1) {
      throw new IllegalArgumentException("window (%d) must be at least 1".formatted(window));
    }
    return random -> 1 + random.below(window);
  }

  /**
   * Returns geometric distances: half of the repeats lie within the last {@code halfLife} records.
   */
  static Distances halfLife(double halfLife) {
    if (!(halfLife > 0)) {
      throw new IllegalArgumentException("half-life (%s) must be above 0".formatted(halfLife));
    }
    double scale = halfLife / Math.log(2);
    return random -> 1 + (long) (-scale * Math.log(unit(random)));
  }

  /**
   * Returns distances from a histogram. Each entry has a largest distance and a weight; within an
   * entry, which starts after the largest distance of the one before, distances are uniform.
   */
  static Distances histogram(NavigableMap<Long, Double> weights) {
    if (weights.isEmpty() || weights.firstKey() < 1) {
      throw new IllegalArgumentException(
          "histogram (%s) must have entries, of distances from 1 on".formatted(weights));
    }
    NavigableMap<Double, Long> upTo = new TreeMap<>();
    double sum = 0;
    for (var entry : weights.entrySet()) {
      if (!(entry.getValue() >= 0)) {
        throw new IllegalArgumentException(
            "weight (%s) of distance %d must be at least 0"
                .formatted(entry.getValue(), entry.getKey()));
      }
      sum += entry.getValue();
      upTo.putIfAbsent(sum, entry.getKey());
    }
    if (sum <= 0) {
      throw new IllegalArgumentException(
          "histogram (%s) must have a weight above 0".formatted(weights));
    }
    double total = sum;
    return random -> {
      long largest = upTo.ceilingEntry(unit(random) * total).getValue();
      Long before = weights.lowerKey(largest);
      long least = before == null ? 1 : before + 1;
      return least + random.below(largest - least + 1);
    };
  }

  /** Returns a uniform number above 0 and at most 1. */
  private static double unit(SplitMix64 random) {
    return ((random.next() >>> 11) + 1) * 0x1p-53;
  }
}
