package dev.unseen.bench;

import dev.unseen.bits.Mix;

/**
 * An endless stream of keys: each is new or, with a given chance, one of the latest new ones. Equal
 * seeds give equal keys, so that all contestants get the same.
 */
final class KeyStream {
  private final long seed;
  private final long duplicatesBelow; // of 2^32
  private final int reach;
  private long random;
  private long fresh;

  KeyStream(long seed, double duplicates, int reach) {
    this.seed = Mix.mix(seed);
    this.random = this.seed;
    this.duplicatesBelow = Math.round(duplicates * 0x1p32);
    this.reach = reach;
  }

  /** Writes new keys only, to fill a contestant. */
  void nextFresh(long[] keys) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(fresh++);
    }
  }

  void next(long[] keys) {
    for (int i = 0; i < keys.length; i++) {
      long draw = Mix.mix(random += Mix.GOLDEN);
      boolean duplicate = fresh > 0 && (draw & 0xFFFF_FFFFL) < duplicatesBelow;
      long back = ((draw >>> 32) * Math.min(reach, fresh)) >>> 32;
      keys[i] = key(duplicate ? fresh - 1 - back : fresh++);
    }
  }

  private long key(long number) {
    return Mix.mix(seed + number);
  }
}
