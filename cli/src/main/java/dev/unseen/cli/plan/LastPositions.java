package dev.unseen.cli.plan;

import dev.unseen.bits.Mix;
import java.util.Arrays;

/**
 * Where the last record of each key is, by the key's 64-bit hash. Two of a hundred million keys
 * share one with a chance of 1 in 3,700, which no distribution of distances would show.
 */
final class LastPositions {
  private static final double MAX_FILL = 0.6;

  private long[] hashes;
  private long[] positions; // from 1 on; 0 is an empty slot
  private long size;

  LastPositions() {
    this(1 << 12);
  }

  private LastPositions(int slots) {
    hashes = new long[slots];
    positions = new long[slots];
  }

  /** Sets the position of this key, from 1 on, and returns the one before; 0 if there is none. */
  long put(long hash, long position) {
    int slot = slot(hash);
    long before = positions[slot];
    hashes[slot] = hash;
    positions[slot] = position;
    if (before == 0) {
      size++;
      if (size > MAX_FILL * hashes.length) {
        grow();
      }
    }
    return before;
  }

  /** Returns the position of this key; 0 if there is none. */
  long get(long hash) {
    return positions[slot(hash)];
  }

  long size() {
    return size;
  }

  void clear() {
    Arrays.fill(positions, 0);
    size = 0;
  }

  /**
   * Returns a copy of some of the keys.
   *
   * @param after the position that a key must be after
   * @param zeros the bits that must be 0 in its hash
   */
  LastPositions copy(long after, long zeros) {
    LastPositions copy = new LastPositions(hashes.length); // in order they would crowd a small one
    for (int i = 0; i < hashes.length; i++) {
      if (positions[i] > after && (hashes[i] & zeros) == 0) {
        copy.put(hashes[i], positions[i]);
      }
    }
    return copy;
  }

  /** Returns the slot of this hash, or the empty one where it belongs. */
  private int slot(long hash) {
    int slot = (int) Mix.reduce(hash, hashes.length);
    while (positions[slot] != 0 && hashes[slot] != hash) {
      slot = slot + 1 < hashes.length ? slot + 1 : 0;
    }
    return slot;
  }

  private void grow() {
    long[] oldHashes = hashes;
    long[] oldPositions = positions;
    hashes = new long[Math.multiplyExact(oldHashes.length, 2)];
    positions = new long[hashes.length];
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldPositions[i] != 0) {
        int slot = slot(oldHashes[i]);
        hashes[slot] = oldHashes[i];
        positions[slot] = oldPositions[i];
      }
    }
  }
}
