package dev.unseen.lab.rival;

import dev.unseen.bits.SplitMix64;

/**
 * SQF, streaming quotient filter (Dutta, Narang, Bera, <i>Streaming quotient filter: a near optimal
 * approximate duplicate detection approach for data streams</i>, PVLDB 6, 2013).
 *
 * <pre>
 * rows of k buckets, a signature each, 0 if empty
 * for each element e: its fingerprint gives a quotient, which is its row, and a remainder of r bits
 *   signature = how many of the r bits are set, and r' of the r bits themselves
 *   e is a DUPLICATE if its signature is in its row, else DISTINCT, and then
 *     store the signature in an empty bucket of the row; if there is none, in a random one
 * </pre>
 *
 * Where we leave the paper: the count of rows is what the memory holds, not a power of two; the
 * count of ones takes the bits it needs, log2(r+1) rounded up; a remainder of 0 counts as 1, so
 * that 0 can mean empty. The count of ones carries less information than the same number of bits of
 * the remainder would; the paper on QQHTD shows this.
 */
final class StreamingQuotientFilter extends BucketTable {
  private final int reducedBits;
  private final SplitMix64 random;

  StreamingQuotientFilter(
      long memoryBytes, int buckets, int remainderBits, int reducedBits, long seed) {
    super(memoryBytes, buckets, signatureBits(remainderBits, reducedBits), remainderBits, seed);
    this.reducedBits = reducedBits;
    this.random = new SplitMix64(seed);
  }

  static int signatureBits(int remainderBits, int reducedBits) {
    return reducedBits + Integer.SIZE - Integer.numberOfLeadingZeros(remainderBits);
  }

  @Override
  boolean admit(long row, long remainder) {
    long ones = Long.bitCount(remainder);
    long signature = ones << reducedBits | (remainder & ((1L << reducedBits) - 1));
    if (find(row, signature) >= 0) {
      return false;
    }
    int empty = find(row, 0);
    set(row, empty >= 0 ? empty : (int) random.below(perBucket), signature);
    return true;
  }

  /**
   * Returns the false positive rate of full rows: 1 - (1 - p)^k. Two signatures are equal with
   * chance p, if their r' bits are equal and as many of the n = r - r' others are set: 2^-r' times
   * C(2n, n) / 4^n.
   */
  static double fullFpr(int buckets, int remainderBits, int reducedBits) {
    double p = Math.pow(2, -reducedBits);
    for (int i = 1; i <= remainderBits - reducedBits; i++) {
      p *= (2 * i - 1) / (2.0 * i);
    }
    return -Math.expm1(buckets * Math.log1p(-p));
  }
}
