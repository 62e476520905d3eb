package dev.unseen.lab.trial;

import dev.unseen.bits.Mix;

/**
 * The exact truth about a real stream: the set of the 128-bit hashes of all keys so far. Two of a
 * billion keys share a hash with a chance of 1e-21.
 */
final class SeenHashes {
  private static final double MAX_FILL = 0.6;

  private long[] high;
  private long[] low;
  private long size;
  private boolean zeroSeen; // the empty slot is (0, 0)

  SeenHashes() {
    allocate(1 << 12);
  }

  private void allocate(int slots) {
    high = new long[slots];
    low = new long[slots];
  }

  /** Adds a hash. Returns whether it is new. */
  boolean add(long h, long l) {
    if (h == 0 && l == 0) {
      boolean fresh = !zeroSeen;
      zeroSeen = true;
      size += fresh ? 1 : 0;
      return fresh;
    }
    int slot = slot(h, l);
    if (high[slot] == h && low[slot] == l) {
      return false;
    }
    high[slot] = h;
    low[slot] = l;
    size++;
    if (size > MAX_FILL * high.length) {
      grow();
    }
    return true;
  }

  /** Returns the slot that contains this hash, or the empty slot where it belongs. */
  private int slot(long h, long l) {
    int slot = (int) Mix.reduce(h, high.length);
    while ((high[slot] != 0 || low[slot] != 0) && (high[slot] != h || low[slot] != l)) {
      slot = slot + 1 < high.length ? slot + 1 : 0;
    }
    return slot;
  }

  private void grow() {
    long[] oldHigh = high;
    long[] oldLow = low;
    allocate(Math.multiplyExact(high.length, 2));
    for (int i = 0; i < oldHigh.length; i++) {
      if (oldHigh[i] != 0 || oldLow[i] != 0) {
        int slot = slot(oldHigh[i], oldLow[i]);
        high[slot] = oldHigh[i];
        low[slot] = oldLow[i];
      }
    }
  }

  long size() {
    return size;
  }
}
