package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;

/**
 * Cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher, <i>Cuckoo filter: practically better than
 * Bloom</i>, CoNEXT 2014), made to forget: what the paper calls full is here the time to drop one.
 *
 * <pre>
 * buckets of b entries, a fingerprint of f bits each, 0 if empty
 * for each element e with fingerprint x and buckets i1 = hash(e), i2 = other(i1, x):
 *   e is a DUPLICATE if x is in bucket i1 or i2, else DISTINCT, and then
 *     if bucket i1 or i2 has an empty entry: put x there
 *     else: i = i1 or i2 at random; repeat up to MaxNumKicks times:
 *       x changes places with a random entry of bucket i; i = other(i, x)
 *       if bucket i has an empty entry: put x there and stop
 *     an x that has found no place is dropped
 * </pre>
 *
 * The paper has other(i, x) = i xor hash(x), which wants a power of two of buckets; ours is hash(x)
 * - i modulo the buckets, which leads back as well and uses all of the memory. It stops at 500
 * kicks; that limit only matters while the last places fill.
 */
final class CuckooFilter extends BucketTable {
  private final int maxKicks;
  private final SplitMix64 random;

  CuckooFilter(long memoryBytes, int entries, int bits, int maxKicks, long seed) {
    super(memoryBytes, entries, bits, bits, seed);
    this.maxKicks = maxKicks;
    this.random = new SplitMix64(seed);
  }

  @Override
  boolean admit(long i1, long x) {
    long i2 = other(i1, x);
    if (find(i1, x) >= 0 || find(i2, x) >= 0) {
      return false;
    }
    if (!putIfRoom(i1, x) && !putIfRoom(i2, x)) {
      kick(random.chance(1, 2) ? i1 : i2, x);
    }
    return true;
  }

  private boolean putIfRoom(long bucket, long x) {
    int empty = find(bucket, 0);
    if (empty >= 0) {
      set(bucket, empty, x);
    }
    return empty >= 0;
  }

  private void kick(long bucket, long fingerprint) {
    long i = bucket;
    long x = fingerprint;
    for (int kicks = 0; kicks < maxKicks; kicks++) {
      int entry = (int) random.below(perBucket);
      long victim = get(i, entry);
      set(i, entry, x);
      x = victim;
      i = other(i, x);
      if (putIfRoom(i, x)) {
        return;
      }
    }
  }

  private long other(long i, long x) {
    long sum = Mix.reduce(Mix.mix(x * Mix.GOLDEN + seed), buckets) - i;
    return sum < 0 ? sum + buckets : sum;
  }
}
