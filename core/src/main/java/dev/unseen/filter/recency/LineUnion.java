package dev.unseen.filter.recency;

import java.util.Arrays;

/** Collects the fingerprints of two lines that are merged, in a list without repetitions. */
final class LineUnion {
  private final long[] fingerprints;
  private final long mask;
  private int size;

  /**
   * Creates an empty list.
   *
   * @param most the largest number of fingerprints
   * @param width the number of low bits of a fingerprint that count
   */
  LineUnion(int most, int width) {
    this.fingerprints = new long[most];
    this.mask = (1L << width) - 1;
  }

  int size() {
    return size;
  }

  boolean contains(long fingerprint) {
    for (int i = 0; i < size; i++) {
      if (fingerprints[i] == (fingerprint & mask)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a fingerprint at the end, unless the list contains it. */
  void add(long fingerprint) {
    if (!contains(fingerprint)) {
      fingerprints[size++] = fingerprint & mask;
    }
  }

  /** Adds the fingerprints of two lines in turn. Both have the latest first. */
  void addInTurn(long[] a, long[] b) {
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      if (i < a.length) {
        add(a[i]);
      }
      if (i < b.length) {
        add(b[i]);
      }
    }
  }

  /** Adds the fingerprints that are in both lines. */
  void addBoth(long[] a, long[] b) {
    for (long one : a) {
      if (Arrays.stream(b).anyMatch(other -> ((one ^ other) & mask) == 0)) {
        add(one);
      }
    }
  }

  void removeAll(LineUnion others) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!others.contains(fingerprints[i])) {
        fingerprints[kept++] = fingerprints[i];
      }
    }
    size = kept;
  }

  void dropLast(int count) {
    size -= count;
  }

  long[] toArray() {
    return Arrays.copyOf(fingerprints, size);
  }
}
