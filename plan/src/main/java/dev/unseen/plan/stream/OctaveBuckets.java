package dev.unseen.plan.stream;

/**
 * Divides distances in records into buckets, with a fixed number of buckets per octave. Distances
 * below that number have one bucket each.
 */
public final class OctaveBuckets {
  private final int bits;
  private final int octave;

  /** Creates 2^bits buckets per octave. */
  public OctaveBuckets(int bits) {
    this.bits = bits;
    this.octave = 1 << bits;
  }

  /** Returns the number of buckets for all distances. */
  public int count() {
    return (Long.SIZE - bits) * octave;
  }

  /** Returns the bucket of a distance. The bucket of 0 is 0. */
  public int bucket(long distance) {
    int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(distance | 1) - bits);
    return shift * octave + (int) (distance >>> shift);
  }

  /** Returns the largest distance of a bucket. */
  public double upperEdge(int bucket) {
    int shift = Math.max(0, bucket / octave - 1);
    return Math.scalb(bucket - shift * octave + 1.0, shift) - 1;
  }
}
