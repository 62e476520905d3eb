package dev.unseen.filter;

import dev.unseen.bits.Stateful;
import java.util.Arrays;
import java.util.Objects;

/**
 * The batch path that all filters share. A filter larger than the caches waits for memory at each
 * hash. So the positions of a block of hashes are first computed and touched: their words are read,
 * and since no read depends on another, the processor waits for all of them at once. The same goes
 * for the random positions that the next insertions will reset: the generator can look ahead. Then
 * the block is decided one by one.
 */
abstract class BatchingFilter implements DuplicateFilter, Stateful {
  /**
   * Positions in a block: more than a core has reads in flight, and their lines fit the L1 cache.
   */
  private static final int POSITIONS = 128;

  private final FilterSpec spec;
  private final int hashes;
  private final long[] at = new long[POSITIONS];

  @SuppressWarnings("unused") // written so that the reads are not optimised away
  private long touched;

  /** Insertions so far: those that drew random positions. Counted by the filters. */
  long insertions;

  /** The insertions whose random positions have been touched. */
  private long touchedInsertions;

  BatchingFilter(FilterSpec spec) {
    this.spec = spec;
    this.hashes = spec.hashes();
  }

  /** Writes the k positions of a hash. */
  abstract void locate(long hash, long[] at, int from);

  /** Reads what is at a position. */
  abstract long touch(long position);

  /**
   * Reads what the random resets of an insertion to come will need; 0 is the next. A guess that may
   * be wrong costs time only. A filter that does not know its draws ahead reads nothing.
   */
  long touchResets(int insertion) {
    return 0;
  }

  /** Takes in the hash whose k positions these are; whether it is admitted. */
  abstract boolean admitAt(long[] at, int from);

  /** Joins another filter of the same spec into this one; neither is empty. */
  abstract void merge(BatchingFilter other);

  @Override
  public final boolean admit(long hash) {
    locate(hash, at, 0);
    return admitAt(at, 0);
  }

  @Override
  public final int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      throw new IllegalArgumentException(
          "fresh (%d words) must have a bit for each of %d hashes: %d words"
              .formatted(fresh.length, count, words));
    }
    Arrays.fill(fresh, 0, words, 0);
    int admitted = 0;
    int block = POSITIONS / this.hashes;
    for (int i = 0; i < count; i += block) {
      admitted += admitBlock(hashes, offset + i, i, Math.min(i + block, count), fresh);
    }
    return admitted;
  }

  /** Admits the hashes from {@code offset} on, whose answers are the bits {@code from..to-1}. */
  private int admitBlock(long[] hashes, int offset, int from, int to, long[] fresh) {
    int k = this.hashes;
    int end = (to - from) * k;
    for (int i = from, at = 0; i < to; i++, at += k) {
      locate(hashes[offset + i - from], this.at, at);
    }
    long sum = 0;
    for (int i = 0; i < end; i++) {
      sum += touch(at[i]);
    }
    touched = sum + touchResetsOf(to - from);
    int admitted = 0;
    for (int i = from, at = 0; i < to; i++, at += k) {
      long bit = admitAt(this.at, at) ? 1 : 0;
      fresh[i / Long.SIZE] |= bit << i;
      admitted += (int) bit;
    }
    return admitted;
  }

  /** Touches for as many insertions as a block may make, less those that are touched already. */
  private long touchResetsOf(int records) {
    long sum = 0;
    for (long i = Math.max(insertions, touchedInsertions); i < insertions + records; i++) {
      sum += touchResets((int) (i - insertions));
    }
    touchedInsertions = insertions + records;
    return sum;
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }
}
