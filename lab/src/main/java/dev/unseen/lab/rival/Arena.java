package dev.unseen.lab.rival;

/**
 * What contestants are told before they enter: the same for all.
 *
 * @param memoryBytes a hard cap
 * @param distinct the distinct keys of the stream
 * @param seed of all random choices
 * @param minFpr settings whose expected false positive rate is below are left out
 * @param maxFpr settings whose expected false positive rate is above are left out
 */
public record Arena(long memoryBytes, long distinct, long seed, double minFpr, double maxFpr) {
  /** With the usual range of false positive rates: what a pipeline may want, and some more. */
  public static Arena of(long memoryBytes, long distinct, long seed) {
    return new Arena(memoryBytes, distinct, seed, 1e-5, 0.1);
  }

  /** Whether a setting with this expected false positive rate is worth a run. */
  boolean wants(double expectedFpr) {
    return expectedFpr >= minFpr && expectedFpr <= maxFpr;
  }
}
