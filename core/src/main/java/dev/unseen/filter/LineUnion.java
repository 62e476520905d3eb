package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import java.util.Arrays;

/** The fingerprints of two lines while they become one: a list without repetitions. */
final class LineUnion {
  private final long[] fingerprints;
  private final long mask;
  private int size;

  /** For at most so many, of which so many low bits count. */
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

  /** Adds one at the end unless it is there. */
  void add(long fingerprint) {
    if (!contains(fingerprint)) {
      fingerprints[size++] = fingerprint & mask;
    }
  }

  /** Adds lanes {@code first..last-1} of two lines in turn: both have the latest first. */
  void addInTurn(Part a, Part b) {
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      if (i < a.size()) {
        add(a.get(i));
      }
      if (i < b.size()) {
        add(b.get(i));
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

  /** Writes them from a lane on, up (1) or down (-1). */
  void write(Lanes lanes, long[] line, int at, int firstLane, int direction) {
    for (int i = 0; i < size; i++) {
      lanes.set(line, at, firstLane + i * direction, fingerprints[i]);
    }
  }

  /** Writes them to a sorted line, which has so many. */
  void write(SortedLines sorted, long[] line, int at, int used, boolean marked) {
    for (int i = 0; i < size; i++) {
      sorted.add(line, at, used + i, fingerprints[i], marked);
    }
  }

  /** Makes a line all zero. */
  static void clear(long[] line, int at) {
    Arrays.fill(line, at, at + Lanes.WORDS, 0);
  }

  /**
   * Some keys of a line, the latest first, or sorted ones in any order.
   *
   * @param fingerprints of the keys
   */
  @SuppressWarnings("ArrayRecordComponent") // a view, never compared
  record Part(long[] fingerprints) {
    /** Some neighbouring lanes of a line, from one on up (1) or down (-1). */
    static Part of(Lanes lanes, long[] line, int at, int first, int direction, int size) {
      long[] fingerprints = new long[size];
      for (int i = 0; i < size; i++) {
        fingerprints[i] = lanes.get(line, at, first + i * direction);
      }
      return new Part(fingerprints);
    }

    int size() {
      return fingerprints.length;
    }

    long get(int i) {
      return fingerprints[i];
    }

    boolean contains(long fingerprint, long mask) {
      return Arrays.stream(fingerprints).anyMatch(one -> (one & mask) == (fingerprint & mask));
    }
  }
}
