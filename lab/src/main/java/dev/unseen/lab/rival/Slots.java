package dev.unseen.lab.rival;

import dev.unseen.state.Words;

/**
 * Packed buckets of fingerprints. There are as many buckets as the memory holds, with a given
 * number of slots of a given number of bits. A slot of zero is empty, so no fingerprint is zero.
 */
final class Slots {
  private final Words words;
  private final int width;
  private final long mask;
  private final long buckets;
  private final int perBucket;

  Slots(long memoryBytes, int perBucket, int width) {
    long bits = memoryBytes / Long.BYTES * Long.SIZE;
    this.buckets = bits / ((long) perBucket * width);
    if (buckets < 1) {
      throw new IllegalArgumentException(
          "memory (%d bytes) must hold a bucket of %d slots of %d bits"
              .formatted(memoryBytes, perBucket, width));
    }
    this.perBucket = perBucket;
    this.width = width;
    this.mask = (1L << width) - 1;
    this.words = new Words((buckets * perBucket * width + Long.SIZE - 1) / Long.SIZE);
  }

  long buckets() {
    return buckets;
  }

  int perBucket() {
    return perBucket;
  }

  /** Returns the value in a slot of a bucket; 0 if it is empty. */
  long get(long bucket, int slot) {
    long bit = (bucket * perBucket + slot) * width;
    int shift = (int) bit & 63;
    long value = words.get(bit >>> 6) >>> shift;
    if (shift + width > Long.SIZE) {
      value |= words.get((bit >>> 6) + 1) << (Long.SIZE - shift);
    }
    return value & mask;
  }

  void set(long bucket, int slot, long value) {
    long bit = (bucket * perBucket + slot) * width;
    long word = bit >>> 6;
    int shift = (int) bit & 63;
    words.set(word, (words.get(word) & ~(mask << shift)) | (value << shift));
    if (shift + width > Long.SIZE) {
      int done = Long.SIZE - shift;
      words.set(word + 1, (words.get(word + 1) & ~(mask >>> done)) | (value >>> done));
    }
  }

  /**
   * Returns the first slot of a bucket that has this value, or -1. For 0 it is the first empty
   * slot.
   */
  int find(long bucket, long value) {
    for (int slot = 0; slot < perBucket; slot++) {
      if (get(bucket, slot) == value) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * Returns a fingerprint with this number of bits of a hash whose bits are all random. It is never
   * 0.
   */
  static long fingerprint(long hash, int bits) {
    return Math.max(1, hash >>> (Long.SIZE - bits));
  }

  long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
