package dev.unseen.filter;

import dev.unseen.bits.Stateful;
import java.util.Arrays;
import java.util.Objects;

/**
 * The batch path that all filters share. A filter larger than the caches waits for memory at each
 * hash. So the positions of a block of hashes are first computed, and the random positions that the
 * next insertions will reset: the generator can look ahead. Then all of them are touched: their
 * words are read, and since no read depends on another, the processor waits for many at once. Then
 * the block is decided one by one.
 */
abstract class BatchingFilter implements DuplicateFilter, Stateful {
  /**
   * Positions in a block: more than a core has reads in flight, and their lines fit the L1 cache.
   */
  private static final int POSITIONS = 128;

  private final FilterSpec spec;
  private final int positions; // of each hash
  final long[] at; // positions of a block's hashes, then of random resets

  @SuppressWarnings("unused") // written so that the reads are not optimised away
  private long touched;

  /** Insertions so far: those that drew random positions. Counted by the filters. */
  long insertions;

  /** The insertions whose random positions have been touched. */
  private long touchedInsertions;

  BatchingFilter(FilterSpec spec) {
    this(spec, spec.hashes(), false);
  }

  /**
   * A filter of this spec.
   *
   * @param positions that it keeps of each hash of a block
   * @param resets whether it knows random resets ahead, at most as many for each insertion
   */
  BatchingFilter(FilterSpec spec, int positions, boolean resets) {
    this.spec = spec;
    this.positions = positions;
    this.at = new long[resets ? 2 * POSITIONS : POSITIONS];
  }

  /** Writes the k positions of a hash. */
  abstract void locate(long hash, long[] at, int from);

  /** Reads what is at a position. */
  abstract long touch(long position);

  /**
   * Writes the positions that the random resets of an insertion to come will need; 0 is the next. A
   * guess that may be wrong costs time only. A filter that does not know its draws ahead writes
   * none.
   *
   * @return where the positions end that begin at {@code from}
   */
  int locateResetsOf(int insertion, long[] at, int from) {
    return from;
  }

  /** Takes in the hash whose k positions these are; whether it is admitted. */
  abstract boolean admitAt(long[] at, int from);

  /** Joins another filter of the same spec into this one; neither is empty. */
  abstract void merge(BatchingFilter other);

  @Override
  public boolean admit(long hash) {
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
    int block = POSITIONS / positions;
    for (int i = 0; i < count; i += block) {
      admitted += admitBlock(hashes, offset + i, i, Math.min(i + block, count), fresh);
    }
    return admitted;
  }

  /** Admits the hashes from {@code offset} on, whose answers are the bits {@code from..to-1}. */
  private int admitBlock(long[] hashes, int offset, int from, int to, long[] fresh) {
    int k = positions;
    int end = 0;
    for (int i = from; i < to; i++, end += k) {
      locate(hashes[offset + i - from], at, end);
    }
    end = locateResets(to - from, end);
    // Nothing but reads: the closer they follow each other, the more of them wait together.
    long sum = 0;
    for (int i = 0; i < end; i++) {
      sum += touch(at[i]);
    }
    touched = sum;
    int admitted = 0;
    for (int i = from, at = 0; i < to; i++, at += k) {
      long bit = admitAt(this.at, at) ? 1 : 0;
      fresh[i / Long.SIZE] |= bit << i;
      admitted += (int) bit;
    }
    return admitted;
  }

  /**
   * Writes what the insertions of a block may reset, less what has been touched already, behind the
   * positions of its hashes.
   */
  private int locateResets(int records, int from) {
    int end = from;
    for (long i = Math.max(insertions, touchedInsertions); i < insertions + records; i++) {
      end = locateResetsOf((int) (i - insertions), at, end);
    }
    touchedInsertions = insertions + records;
    return end;
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }
}
