package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;

/**
 * setSLRU: buckets of fingerprints in the order of their use, in which a new key does not start at
 * the front. It is segmented LRU (Karedla, Love, Wherry, <i>Caching strategies to improve disk
 * system performance</i>, IEEE Computer 27, 1994) in each bucket of a set-associative table, with
 * segments of fixed size.
 *
 * <pre>
 * buckets of b places, a fingerprint of f bits each, 0 if empty; the place is the age
 * for each element e with bucket i and fingerprint x:
 *   if x is in bucket i: a DUPLICATE; x moves to place 0
 *   else DISTINCT; x enters at place ins, or at the first empty place before it
 *   the fingerprints between the two places move back by one; the last of a full bucket is dropped
 * </pre>
 *
 * The places before {@code ins} are the protected segment: only keys that came again get there.
 * With {@code ins} = 0 it is plain LRU in each bucket. There are no other bits than those of the
 * fingerprints, because the place of a fingerprint says how old it is.
 */
final class SegmentedSetTable implements Contestant {
  private final Slots buckets;
  private final int bits;
  private final int entry;
  private final long seed;

  SegmentedSetTable(long memoryBytes, int places, int bits, int entry, long seed) {
    this.buckets = new Slots(memoryBytes, places, bits);
    this.bits = bits;
    this.entry = entry;
    this.seed = Mix.mix(seed);
  }

  @Override
  public boolean admit(long hash) {
    long h = Mix.mix(hash ^ seed);
    long bucket = Mix.reduce(h, buckets.buckets());
    long x = Slots.fingerprint(Mix.mix(h + Mix.GOLDEN), bits);
    int place = buckets.find(bucket, x);
    if (place >= 0) {
      move(bucket, place, 0, x);
      return false;
    }
    int empty = buckets.find(bucket, 0);
    int from = empty >= 0 ? empty : buckets.perBucket() - 1;
    move(bucket, from, Math.min(entry, from), x);
    return true;
  }

  /** Puts a fingerprint at a place, and moves those from there up to another place back by one. */
  private void move(long bucket, int from, int to, long x) {
    for (int i = from; i > to; i--) {
      buckets.set(bucket, i, buckets.get(bucket, i - 1));
    }
    buckets.set(bucket, to, x);
  }

  @Override
  public long memoryBytes() {
    return buckets.memoryBytes();
  }

  /** Returns the false positive rate of full buckets: 1 - (1 - 2^-f)^b. */
  static double fullFpr(int places, int bits) {
    return QueuedQuotientTable.fullFpr(places, bits);
  }
}
