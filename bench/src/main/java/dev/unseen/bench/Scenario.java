package dev.unseen.bench;

import dev.unseen.text.Print;
import java.util.Locale;

/**
 * What is measured.
 *
 * @param memoryBytes that each contestant gets
 * @param duplicates the share of the records that are duplicates, 0 to 1
 * @param steady whether the contestants are filled first, to the load they settle at or are made
 *     for; else they start empty
 * @param hugePages whether Java asks for huge pages, as the launcher has it do
 * @param threads that each of ours is run by, each with its own part of the memory
 * @param strings whether the keys are {@value SpeedContestant#STRING} bytes instead of a number
 */
record Scenario(
    long memoryBytes,
    double duplicates,
    boolean steady,
    boolean hugePages,
    int threads,
    boolean strings) {
  /** The peers with a false positive rate have that of RECENCY. */
  static final double FPR = 1e-4;

  /** In words. */
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

  /** The same for one thread of several. */
  Scenario part() {
    return ofMemory(memoryBytes / threads);
  }

  /** The same for one thread, with another memory. */
  Scenario ofMemory(long bytes) {
    return new Scenario(bytes, duplicates, steady, hugePages, 1, strings);
  }

  /**
   * How far back a duplicate's original is at most, in new keys: so far that its line has left the
   * caches, unless the filter is small, and near enough for every filter to hold it.
   */
  int reach() {
    return (int) Math.min(1 << 20, Math.max(16, memoryBytes * 8 / 64));
  }

  /** For a command line. */
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

  /** The reverse of {@link #toArguments}. */
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
