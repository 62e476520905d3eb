package dev.unseen.bits;

/**
 * The arithmetic for hashing and for random numbers: a bijective mixer of 64 bits, and the map of a
 * 64-bit hash to a position. It must never change, because every answer of every filter depends on
 * it.
 *
 * <p>References: (1) Stafford, <i>Better bit mixing</i>, 2011, variant 13, whose constants {@link
 * #mix} uses; the same mixer finishes Java's {@code SplittableRandom}. (2) Lemire, <i>Fast random
 * integer generation in an interval</i>, 2019, for the multiply-shift of {@link #reduce}.
 */
public final class Mix {
  /** The odd number nearest to 2^64 divided by the golden ratio: the stride of the generator. */
  public static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Mix() {}

  /** Mixes the bits of {@code x}: every bit of it influences every bit of the result. */
  public static long mix(long x) {
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }

  /**
   * Returns the position in {@code 0..n-1} of a hash: the high half of the 128-bit product {@code
   * hash * n}. No position is favored by more than n in 2^64; a remainder would cost a division and
   * favor the low positions.
   */
  public static long reduce(long hash, long n) {
    // Math.multiplyHigh is signed (the unsigned one came with Java 18); n is positive, so only a
    // "negative" hash needs its correction.
    return Math.multiplyHigh(hash, n) + ((hash >> 63) & n);
  }

  /** Returns the exclusive or of the two halves of the unsigned 128-bit product {@code a * b}. */
  public static long foldedProduct(long a, long b) {
    long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    return high ^ (a * b);
  }
}
