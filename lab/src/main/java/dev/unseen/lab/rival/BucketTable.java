package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.state.Words;

/**
 * Packed buckets of fingerprints. There are as many buckets as the memory holds, with a given
 * number of slots of a given number of bits. A slot of zero is empty, so no fingerprint is zero.
 */
abstract class BucketTable implements Contestant {
  private final Words words;
  private final int width;
  private final long mask;
  private final int fingerprintBits;
  final long buckets;
  final int perBucket;
  final long seed;

  BucketTable(long memoryBytes, int perBucket, int width, int fingerprintBits, long seed) {
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
    this.fingerprintBits = fingerprintBits;
    this.seed = Mix.mix(seed);
  }

  @Override
  public final boolean admit(long hash) {
    long h = Mix.mix(hash ^ seed);
    long fingerprint = Mix.mix(h + Mix.GOLDEN) >>> (Long.SIZE - fingerprintBits);
    return admit(Mix.reduce(h, buckets), Math.max(1, fingerprint));
  }

  /** Checks a fingerprint with its bucket and remembers it. Returns true if it is new. */
  abstract boolean admit(long bucket, long x);

  /** Returns the value in a slot of a bucket; 0 if it is empty. */
  final long get(long bucket, int slot) {
    long bit = (bucket * perBucket + slot) * width;
    int shift = (int) bit & 63;
    long value = words.get(bit >>> 6) >>> shift;
    if (shift + width > Long.SIZE) {
      value |= words.get((bit >>> 6) + 1) << (Long.SIZE - shift);
    }
    return value & mask;
  }

  final void set(long bucket, int slot, long value) {
    long bit = (bucket * perBucket + slot) * width;
    long word = bit >>> 6;
    int shift = (int) bit & 63;
    words.set(word, (words.get(word) & ~(mask << shift)) | (value << shift));
    if (shift + width > Long.SIZE) {
      int done = Long.SIZE - shift;
      words.set(word + 1, (words.get(word + 1) & ~(mask >>> done)) | (value >>> done));
    }
  }

  /** Returns the first slot of a bucket that has this value, or -1. 0 finds an empty slot. */
  final int find(long bucket, long value) {
    for (int slot = 0; slot < perBucket; slot++) {
      if (get(bucket, slot) == value) {
        return slot;
      }
    }
    return -1;
  }

  @Override
  public final long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /** Returns the false positive rate of n fingerprints of f bits: 1 - (1 - 2^-f)^n. */
  static double fullFpr(int fingerprints, int bits) {
    return -Math.expm1(fingerprints * Math.log1p(-Math.pow(2, -bits)));
  }
}
