package dev.unseen.cli.plan;

import dev.unseen.hash.Mix;

/**
 * Where the last record of each key is, by the key's 64-bit hash. Two of a hundred million keys
 * share one with a chance of 1 in 3,700, which no distribution of distances would show.
 */
final class LastPositions {
  private static final double MAX_FILL = 0.6;

  private long[] hashes = new long[1 << 12];
  private long[] positions = new long[1 << 12]; // from 1 on; 0 is an empty slot
  private long size;

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

  /** The slot of this hash, or the empty one where it belongs. */
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
