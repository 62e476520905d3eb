package dev.unseen.plan.stream;

import dev.unseen.text.Require;
import java.util.Arrays;

/**
 * Learns a {@link StreamModel} from a sample of a stream. For each record, the caller passes how
 * many records ago the same key occurred. The model describes a stream of the same length.
 *
 * <p>A distance of g can occur at only n - g of n records. So each counts for 1/(n - g), not 1/n,
 * in the chance that a key has occurred among the last w records; the model then has as many
 * distinct keys as the sample.
 *
 * <p>Distances are counted in buckets, 32 to an octave. For filters that are run in miniature, the
 * distances of the first 16 million records are also kept one by one, in 4 bytes each.
 */
public final class RepeatSample {
  private static final OctaveBuckets LAGS = new OctaveBuckets(5);

  /** The distances take 64 MiB at most; of a longer sample only their histogram is known. */
  static final int MOST_LINKED = 1 << 24;

  private final double[] counts = new double[LAGS.count()];
  private int[] distances = new int[1024]; // one by one; 0 for the first record of a key
  private int linked;
  private long records;
  private boolean whole = true; // each record is known

  /** Creates an empty sample. */
  public RepeatSample() {}

  /** Adds a record that is the first of its key. */
  public void first() {
    link(0);
    records++;
  }

  /** Adds a record about which nothing is known: other records of the sample represent it. */
  public void unknown() {
    whole = false;
    records++;
  }

  /** Adds a record that repeats the record this number of records back. */
  public void repeat(long distance) {
    repeat(distance, 1);
  }

  /**
   * Adds a record that repeats the one this many records back, and stands for other records as
   * well, of which nothing is known.
   *
   * @param weight how many records it stands for, itself included
   */
  public void repeat(long distance, double weight) {
    Require.that(
        distance >= 1 && distance <= records, "distance", distance, "1 to the records before");
    counts[LAGS.bucket(distance)] += weight;
    link(distance);
    records++;
  }

  private void link(long distance) {
    if (!whole || linked == MOST_LINKED) {
      return;
    }
    if (linked == distances.length) {
      distances = Arrays.copyOf(distances, 2 * linked);
    }
    distances[linked++] = (int) distance; // fits: no distance is longer than the records before it
  }

  /** Returns the model of the records so far. */
  public StreamModel model() {
    Require.that(records >= 1, "records", records, "at least 1 in a sample");
    int last = LAGS.bucket(records);
    double[] edge = new double[last + 1];
    double[] unseen = new double[last + 1];
    unseen[0] = 1;
    for (int i = 1; i <= last; i++) {
      edge[i] = LAGS.upperEdge(i);
      double middle = Math.min((edge[i - 1] + 1 + edge[i]) / 2, records - 1.0);
      unseen[i] = unseen[i - 1] - counts[i] / (records - middle);
    }
    return new SampledStreamModel((double) records, edge, unseen, distances, linked);
  }
}
