package dev.unseen.bench;

import dev.unseen.text.Print;
import java.util.Locale;

/**
 * The conditions of a measurement.
 *
 * @param memoryBytes the memory of each contestant in bytes
 * @param duplicates the share of the records that are duplicates, 0 to 1
 * @param steady whether the contestants are filled first, to the load at which they settle or for
 *     which they are made; otherwise they start empty
 * @param hugePages whether Java uses huge pages, as with the launcher
 * @param threads the number of threads of each of our filters, each with its own part of the memory
 * @param strings whether the keys are {@value KeyBlock#TEXT_BYTES} bytes instead of a number
 */
record Scenario(
    long memoryBytes,
    double duplicates,
    boolean steady,
    boolean hugePages,
    int threads,
    boolean strings) {
  /** The false positive rate of RECENCY, which the approximate peers have too. */
  static final double FPR = 1e-4;

  String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %s, %s duplicates, %s, %s, %d thread%s",
        Print.bytes(memoryBytes),
        strings ? "keys of 32 bytes" : "keys of 8 bytes",
        Print.percent(duplicates),
        steady ? "filled" : "empty at first",
        hugePages ? "huge pages" : "default flags",
        threads,
        threads == 1 ? "" : "s");
  }

  /** Returns the scenario for one of several threads. */
  Scenario part() {
    return ofMemory(memoryBytes / threads);
  }

  /** Returns a copy for one thread, with this memory. */
  Scenario ofMemory(long bytes) {
    return new Scenario(bytes, duplicates, steady, hugePages, 1, strings);
  }

  /**
   * Returns the largest distance from a duplicate back to its original, in new keys. It is so large
   * that the original's line has left the caches, unless the filter is small, and small enough for
   * every filter to remember it.
   */
  int reach() {
    return (int) Math.min(1 << 20, Math.max(16, memoryBytes * 8 / 64));
  }

  String[] toArguments() {
    return new String[] {
      Long.toString(memoryBytes),
      Double.toString(duplicates),
      Boolean.toString(steady),
      Boolean.toString(hugePages),
      Integer.toString(threads),
      Boolean.toString(strings)
    };
  }

  static Scenario ofArguments(String[] args, int from) {
    return new Scenario(
        Long.parseLong(args[from]),
        Double.parseDouble(args[from + 1]),
        Boolean.parseBoolean(args[from + 2]),
        Boolean.parseBoolean(args[from + 3]),
        Integer.parseInt(args[from + 4]),
        Boolean.parseBoolean(args[from + 5]));
  }
}
