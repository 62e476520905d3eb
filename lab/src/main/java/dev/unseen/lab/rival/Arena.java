package dev.unseen.lab.rival;

/**
 * The conditions of a comparison, which are the same for all contestants.
 *
 * @param memoryBytes the memory in bytes, which is a hard cap
 * @param minFpr settings with a lower expected false positive rate are left out
 * @param maxFpr settings with a higher expected false positive rate are left out
 */
public record Arena(long memoryBytes, double minFpr, double maxFpr) {
  /** The default for the lowest rate: somewhat lower than a pipeline needs. */
  public static final double MIN_FPR = 1e-5;

  /** The default for the highest rate: somewhat higher than a pipeline needs. */
  public static final double MAX_FPR = 0.1;

  /** Returns an arena with the default range of false positive rates. */
  public static Arena of(long memoryBytes) {
    return new Arena(memoryBytes, MIN_FPR, MAX_FPR);
  }

  /** Returns whether a setting with this expected false positive rate is worth a run. */
  boolean wants(double expectedFpr) {
    return expectedFpr >= minFpr && expectedFpr <= maxFpr;
  }
}
