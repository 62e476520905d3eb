package dev.unseen.lab.rival;

/**
 * The conditions of a comparison, which are the same for all contestants.
 *
 * @param memoryBytes the memory in bytes, which is a hard cap
 * @param distinct the number of distinct keys of the stream
 * @param seed the seed of all random choices
 * @param minFpr settings with a lower expected false positive rate are left out
 * @param maxFpr settings with a higher expected false positive rate are left out
 */
public record Arena(long memoryBytes, long distinct, long seed, double minFpr, double maxFpr) {
  /**
   * Returns an arena with the default range of false positive rates, which is somewhat wider than a
   * pipeline needs.
   */
  public static Arena of(long memoryBytes, long distinct, long seed) {
    return new Arena(memoryBytes, distinct, seed, 1e-5, 0.1);
  }

  /** Returns whether a setting with this expected false positive rate is worth a run. */
  boolean wants(double expectedFpr) {
    return expectedFpr >= minFpr && expectedFpr <= maxFpr;
  }
}
