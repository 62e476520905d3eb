package dev.unseen.filter;

import dev.unseen.bits.Lanes;

/** The published rules that derive the numbers of a {@link FilterSpec} from a goal. */
final class Sizing {
  /**
   * The number of lanes of a line of RECENCY that must stay free on average, so that at most one
   * key in 20,000 finds both of its lines full. With two lines per key it hardly depends on the
   * number of lanes, or of lines.
   */
  private static final double FREE_LANES = 3.3;

  /** The same if keys are kept for late records, too, which fill the lanes that are free. */
  private static final double FREE_LANES_WITH_LATENESS = 4;

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
   * Returns the k of RSBF for a false positive threshold: the mean of 1, where the false negatives
   * are fewest, and of {@code ln(FPRt) / ln(1 - 1/e)}. Bera et al. 2012, section 6.1. For 0.1 that
   * is 3.01, hence 3.
   */
  static int reservoirHashes(double falsePositiveTarget, int maxHashes) {
    double k = Math.log(falsePositiveTarget) / Math.log(1 - 1 / Math.E);
    return clampHashes((1 + k) / 2, maxHashes);
  }

  /**
   * Returns the k with which a Bloom filter has the fewest false positives when it holds this
   * number of keys.
   */
  static int bloomHashes(long bits, long expectedKeys, int maxHashes) {
    return clampHashes(Math.log(2) * bits / expectedKeys, maxHashes);
  }

  /**
   * Returns the size in bytes of a Bloom filter whose false positive rate is at most this with this
   * number of keys.
   */
  static long bloomBytes(long keys, double maxFpr, int maxHashes) {
    double perKey = Math.log(1 / maxFpr) / (Math.log(2) * Math.log(2));
    long words = Math.max(1, (long) Math.ceil(perKey * keys / Long.SIZE));
    while (bloomFpr(words * Long.SIZE, keys, maxHashes) > maxFpr) {
      words += 1 + words / 256; // k is a whole number, so the formula gives slightly too little
    }
    return Math.max(FilterSpec.MIN_MEMORY_BYTES, words * Long.BYTES);
  }

  private static double bloomFpr(long bits, long keys, int maxHashes) {
    int k = bloomHashes(bits, keys, maxHashes);
    long positions = bits / k;
    return Math.pow(-Math.expm1(-(double) keys / positions), k);
  }

  /**
   * Returns the size in bytes of a RECENCY filter that holds this number of keys at one time: in a
   * steady stream at most one key in 20,000 is evicted early. It was measured for all rates and
   * windows (SteadyCapacityTest).
   */
  static long lineBytes(long keys, int lanes, boolean lateness) {
    double perLine = lanes - (lateness ? FREE_LANES_WITH_LATENESS : FREE_LANES);
    return Math.max(1, (long) Math.ceil(keys / perLine)) * Lanes.WORDS * Long.BYTES;
  }

  private static int clampHashes(double k, int maxHashes) {
    return (int) Math.max(1, Math.min(maxHashes, Math.round(k)));
  }
}
