package dev.unseen.filter;

/** The published rules that derive the numbers of a {@link FilterSpec} from a goal. */
final class Sizing {
  private Sizing() {}

  /**
   * Returns the P of a stable Bloom filter: the number of cells that each record decrements so that
   * the false positive rate settles at a target. Deng and Rafiei 2006, section 4.3, solved for P:
   *
   * <pre>
   *   P = 1 / ( (1 / (1 - FPS^(1/K))^(1/Max) - 1) * (1/K - 1/m) )
   * </pre>
   *
   * <p>rounded to the nearest whole number. For K = 2, Max = 1, FPS = 0.1 that is 4.33, hence 4:
   * the value that the published tables of Bera et al. were measured with.
   */
  static int stableDecrements(double falsePositiveTarget, int hashes, int cellBits, long cells) {
    int max = (1 << cellBits) - 1;
    double zeros = 1 - Math.pow(falsePositiveTarget, 1.0 / hashes);
    double p = 1 / ((1 / Math.pow(zeros, 1.0 / max) - 1) * (1.0 / hashes - 1.0 / cells));
    return (int) Math.max(1, Math.min(cells, Math.round(p)));
  }

  /**
   * Returns the k of RSBF: the mean of 1, where the false negatives are fewest, and of {@code
   * ln(FPRt) / ln(1 - 1/e)}. Bera et al. 2012, section 6.1. For 0.1 that is 3.01, hence 3.
   */
  static int reservoirHashes(double falsePositiveTarget, int maxHashes) {
    double k = Math.log(falsePositiveTarget) / Math.log(1 - 1 / Math.E);
    return clampHashes((1 + k) / 2, maxHashes);
  }

  /** Returns the k of a Bloom filter with the fewest false positives when it holds these keys. */
  static int bloomHashes(long bits, long expectedKeys, int maxHashes) {
    return clampHashes(Math.log(2) * bits / expectedKeys, maxHashes);
  }

  private static int clampHashes(double k, int maxHashes) {
    return (int) Math.max(1, Math.min(maxHashes, Math.round(k)));
  }
}
