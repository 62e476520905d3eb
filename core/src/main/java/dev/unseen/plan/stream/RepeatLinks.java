package dev.unseen.plan.stream;

import java.util.Arrays;

/** The distances of a sample in the order of its records; 0 for the first of a key. */
final class RepeatLinks {
  /** 64 MiB. A longer sample is known by how many distances it has of each length, not where. */
  static final int MOST = 1 << 24;

  private int[] distance = new int[1024];
  private int size;

  /** Adds a record. */
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

  /** How many there are. */
  int size() {
    return size;
  }

  /** How far back the record before this one of the same key lies; 0 if there is none. */
  int distance(int record) {
    return distance[record];
  }
}
