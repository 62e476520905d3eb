package dev.unseen.lab.rival;

/**
 * Buckets of fingerprints in the order of their age, which is their place: a table without other
 * bits than those of the fingerprints.
 *
 * <pre>
 * buckets of b places, a fingerprint of f bits each, 0 if empty
 * for each element e with bucket i and fingerprint x:
 *   if x is in bucket i: a DUPLICATE; x moves to place 0 (setSLRU), or stays where it is (QQHT), or
 *     enters once more (QQHTD)
 *   else DISTINCT; x enters
 * an x that enters goes to place ins, or to the first empty place before it; the fingerprints from
 *   there up to the first empty place move back by one; the last of a full bucket is dropped
 * </pre>
 *
 * <p>QQHTD, queued quotient hash table with duplicates (Géraud, Lombard-Platet, Naccache,
 * <i>Quotient hash tables: efficiently detecting duplicates in streaming data</i>, SAC 2019, arXiv
 * 1901.04358), has {@code ins} = 0: a cell is a queue that duplicates join. QQHT is a queue without
 * repeats, which loses less where duplicates abound.
 *
 * <p>setSLRU is segmented LRU (Karedla, Love, Wherry, <i>Caching strategies to improve disk system
 * performance</i>, IEEE Computer 27, 1994) in each bucket, with segments of fixed size. The places
 * before {@code ins} are the protected segment: only keys that came again get there. With {@code
 * ins} = 0 it is plain LRU in each bucket.
 */
final class QueueTable extends BucketTable {
  /** What becomes of a fingerprint that is in its bucket already. */
  enum Hit {
    MOVES_TO_FRONT,
    STAYS,
    ENTERS_AGAIN
  }

  private final int entry;
  private final Hit hit;

  QueueTable(long memoryBytes, int places, int bits, int entry, Hit hit, long seed) {
    super(memoryBytes, places, bits, bits, seed);
    this.entry = entry;
    this.hit = hit;
  }

  @Override
  boolean admit(long bucket, long x) {
    int place = find(bucket, x);
    if (place < 0 || hit == Hit.ENTERS_AGAIN) {
      int empty = find(bucket, 0);
      int last = empty >= 0 ? empty : perBucket - 1;
      move(bucket, last, Math.min(entry, last), x);
    } else if (hit == Hit.MOVES_TO_FRONT) {
      move(bucket, place, 0, x);
    }
    return place < 0;
  }

  /** Puts a fingerprint at a place, and moves those from there up to another place back by one. */
  private void move(long bucket, int from, int to, long x) {
    for (int i = from; i > to; i--) {
      set(bucket, i, get(bucket, i - 1));
    }
    set(bucket, to, x);
  }
}
