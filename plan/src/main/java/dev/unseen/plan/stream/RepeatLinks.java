package dev.unseen.plan.stream;

import java.util.Arrays;

/**
 * Stores the distances of a sample in the order of its records; 0 for the first record of a key.
 */
final class RepeatLinks {
  /** The largest number of distances, which take 64 MiB; of more, only a histogram is known. */
  static final int MOST = 1 << 24;

  private int[] distance = new int[1024];
  private int size;

  /** Adds a record, given the distance back to the previous record of its key. */
  void add(long back) {
    if (size == MOST) {
      return;
    }
    if (size == distance.length) {
      distance = Arrays.copyOf(distance, 2 * size);
    }
    distance[size] = (int) back; // fits: no distance is longer than the records before it
    size++;
  }

  int size() {
    return size;
  }

  int distance(int record) {
    return distance[record];
  }
}
