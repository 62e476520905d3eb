package dev.unseen.plan;

/**
 * Buckets for distances in records, a fixed number of them to an octave: below one octave's number,
 * each distance has its own.
 */
final class LagBuckets {
  private final int bits;
  private final int octave;

  /** 2^bits buckets to an octave. */
  LagBuckets(int bits) {
    this.bits = bits;
    this.octave = 1 << bits;
  }

  /** How many buckets hold all distances. */
  int count() {
    return (Long.SIZE - bits) * octave;
  }

  /** The bucket of a distance; that of 0 is 0. */
  int bucket(long distance) {
    int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(distance | 1) - bits);
    return shift * octave + (int) (distance >>> shift);
  }

  /** The largest distance of a bucket. */
  double upperEdge(int bucket) {
    int shift = Math.max(0, bucket / octave - 1);
    return Math.scalb(bucket - shift * octave + 1.0, shift) - 1;
  }
}
