package dev.unseen.plan;

/**
 * Learns a stream from a sample of it: told of each record how far back the one before it of the
 * same key lies, it makes the {@link StreamModel} of a stream of the same length.
 *
 * <p>A distance of g can be seen at n - g of n records only. So each counts for 1/(n - g), not 1/n,
 * in the chance that a key has occurred among the last w records; the model then has as many
 * distinct keys as the sample.
 *
 * <p>The distances do not tell how many records a key has in all, which RSBF depends on: its rates
 * may be off by half, where those of the other kinds come out within a few percent.
 *
 * <p>Distances are kept in buckets, 32 to an octave, in a few kilobytes for any sample.
 */
public final class RepeatSample {
  private static final int OCTAVE = 32; // buckets; below this, each distance has its own
  private static final int OCTAVE_BITS = 5;

  private final long[] counts = new long[(Long.SIZE - OCTAVE_BITS) * OCTAVE];
  private long records;

  /** Starts with no records. */
  public RepeatSample() {}

  /** The next record is the first of its key. */
  public void first() {
    records++;
  }

  /** The next record is a repeat, of the record that lies so far back. */
  public void repeat(long distance) {
    Checks.require(
        distance >= 1 && distance <= records, "distance", distance, "1 to the records before");
    counts[bucket(distance)]++;
    records++;
  }

  private static int bucket(long distance) {
    int octave = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(distance) - OCTAVE_BITS);
    return octave * OCTAVE + (int) (distance >>> octave);
  }

  /** The largest distance of a bucket. */
  private static double upperEdge(int bucket) {
    int octave = Math.max(0, bucket / OCTAVE - 1);
    return Math.scalb(bucket - octave * OCTAVE + 1.0, octave) - 1;
  }

  /** The stream as known so far. */
  public StreamModel model() {
    Checks.require(records >= 1, "records", records, "at least 1 in a sample");
    int last = bucket(records);
    double[] edge = new double[last + 1];
    double[] unseen = new double[last + 1];
    unseen[0] = 1;
    for (int i = 1; i <= last; i++) {
      edge[i] = upperEdge(i);
      double middle = Math.min((edge[i - 1] + 1 + edge[i]) / 2, records - 1.0);
      unseen[i] = unseen[i - 1] - counts[i] / (records - middle);
    }
    return new SampledModel((double) records, edge, unseen);
  }
}
