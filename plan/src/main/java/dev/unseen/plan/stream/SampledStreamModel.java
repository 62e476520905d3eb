package dev.unseen.plan.stream;

import java.util.Arrays;

/**
 * A stream that is known from a sample: by y(w) at some distances, with linear interpolation in
 * between, and by the distances of its records one by one, unless there are too many.
 *
 * <p>{@link RepeatSample} creates it.
 */
public final class SampledStreamModel implements StreamModel {
  /** The least chance of a new key, even if every late record of a sample is a repeat. */
  private static final double LEAST = 1e-9;

  private final double records;
  private final double[] edge; // from 0 on
  private final double[] unseen; // from 1 on
  private final double[] distinct; // the integral of unseen up to each edge

  private final int[] distances; // of the first records, one by one
  private final int linked;

  SampledStreamModel(double records, double[] edge, double[] unseen, int[] distances, int linked) {
    this.records = records;
    this.distances = distances;
    this.linked = linked;
    this.edge = edge;
    this.unseen = unseen;
    this.distinct = new double[edge.length];
    for (int i = 0; i < edge.length; i++) {
      unseen[i] = Math.max(LEAST, unseen[i]);
      if (i > 0) {
        double width = edge[i] - edge[i - 1];
        distinct[i] = distinct[i - 1] + width * (unseen[i - 1] + unseen[i]) / 2;
      }
    }
  }

  /** Returns the last edge at or before w. */
  private int before(double w) {
    int at = Arrays.binarySearch(edge, w);
    return at >= 0 ? at : -at - 2;
  }

  /** Returns whether the distances are known record by record: the sample is short enough. */
  public boolean hasDistances() {
    return linked == records;
  }

  /** Returns the number of records of the sample. Call it only if {@link #hasDistances}. */
  public int size() {
    return linked;
  }

  /**
   * Returns the distance back to the previous record of the same key; 0 for the first record of a
   * key. Call it only if {@link #hasDistances}.
   *
   * @param record the place of the record in the sample, from 0 on
   */
  public int distance(int record) {
    return distances[record];
  }

  @Override
  public double records() {
    return records;
  }

  @Override
  public double unseen(double window) {
    int i = before(window);
    if (i == edge.length - 1) {
      return unseen[i];
    }
    double share = (window - edge[i]) / (edge[i + 1] - edge[i]);
    return unseen[i] + share * (unseen[i + 1] - unseen[i]);
  }

  @Override
  public double distinct(double window) {
    int i = before(window);
    return distinct[i] + (window - edge[i]) * (unseen[i] + unseen(window)) / 2;
  }

  @Override
  public boolean exchangeable() {
    return false;
  }
}
