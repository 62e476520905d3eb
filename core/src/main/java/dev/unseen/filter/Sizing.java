package dev.unseen.filter;

import dev.unseen.bits.Lanes;

/** The published rules that derive the numbers of a {@link FilterSpec} from a goal. */
final class Sizing {
  /**
   * The number of lanes of a line of RECENCY that must stay free on average, so that at most one
   * key in 20,000 finds both of its lines full. With two lines per key it hardly depends on the
   * number of lanes, or of lines.
   */
  private static final double FREE_LANES = 2.75;

  /** The same with a window: lines that expired keys have left fill less evenly. */
  private static final double FREE_LANES_WITH_WINDOW = 3.3;

  /** The same if keys are kept for late records, too, which fill the lanes that are free. */
  private static final double FREE_LANES_WITH_LATENESS = 4;

  /**
   * Keys fall on shards by chance, so a shard has room for this number of standard deviations more
   * than its share.
   */
  private static final double DEVIATIONS = 4.5;

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
   *
   * @param shards the number of shards that the memory is divided into, 1 if it is not
   */
  static long lineBytes(long keys, int lanes, Window window, int shards) {
    double share = (double) keys / shards;
    double lines = share / (lanes - freeLanes(window));
    if (shards > 1) {
      lines = Math.max(lines, (share + DEVIATIONS * Math.sqrt(share)) / lanes);
    }
    long whole = Math.max(1, (long) Math.ceil(lines));
    long inPairs = whole == 1 ? 1 : whole + (whole & 1);
    return shards * inPairs * Lanes.WORDS * Long.BYTES;
  }

  /** Returns the largest number of keys for which {@link #lineBytes} is at most this size. */
  static long keysIn(long bytes, int lanes, Window window, int shards) {
    long whole = bytes / shards / (Lanes.WORDS * Long.BYTES);
    double lines = whole == 1 ? 1 : whole & -2;
    double share = lines * (lanes - freeLanes(window));
    if (shards > 1) {
      double root = (Math.sqrt(DEVIATIONS * DEVIATIONS + 4 * lines * lanes) - DEVIATIONS) / 2;
      share = Math.min(share, root * root);
    }
    return (long) (share * shards);
  }

  private static double freeLanes(Window window) {
    if (window.isNone()) {
      return FREE_LANES;
    }
    return window.lateness() > 0 ? FREE_LANES_WITH_LATENESS : FREE_LANES_WITH_WINDOW;
  }

  private static int clampHashes(double k, int maxHashes) {
    return (int) Math.max(1, Math.min(maxHashes, Math.round(k)));
  }
}
