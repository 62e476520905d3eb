package dev.unseen.filter.base;

import dev.unseen.filter.FilterSpec;

/**
 * What the filters share that look at k positions of each hash. The positions of a block are
 * located first, and the random positions that the next insertions will reset: the generator can
 * look ahead.
 */
public abstract class PositionsFilter extends BatchingFilter {
  private final int positions; // of each hash
  protected final long[] at; // positions of a block's hashes, then of random resets

  /** Insertions so far: those that drew random positions. Counted by the filters. */
  protected long insertions;

  /** The insertions whose random positions have been touched. */
  private long touchedInsertions;

  protected PositionsFilter(FilterSpec spec) {
    this(spec, spec.hashes(), false);
  }

  /**
   * A filter of this spec.
   *
   * @param positions that it keeps of each hash of a block
   * @param resets whether it knows random resets ahead, at most as many for each insertion
   */
  protected PositionsFilter(FilterSpec spec, int positions, boolean resets) {
    super(spec, POSITIONS / positions);
    this.positions = positions;
    this.at = new long[resets ? 2 * POSITIONS : POSITIONS];
  }

  /** Writes the k positions of a hash. */
  protected abstract void locate(long hash, long[] at, int from);

  /** Reads what is at a position. */
  protected abstract long touch(long position);

  /**
   * Writes the positions that the random resets of an insertion to come will need; 0 is the next. A
   * guess that may be wrong costs time only. A filter that does not know its draws ahead writes
   * none.
   *
   * @return where the positions end that begin at {@code from}
   */
  protected int locateResetsOf(int insertion, long[] at, int from) {
    return from;
  }

  /** Takes in the hash whose k positions these are; whether it is admitted. */
  protected abstract boolean admitAt(long[] at, int from);

  @Override
  public boolean admit(long hash) {
    locate(hash, at, 0);
    return admitAt(at, 0);
  }

  @Override
  protected final void admitBlock(long[] hashes, int offset, int from, int to, long[] fresh) {
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
    touched(sum);
    for (int i = from, at = 0; i < to; i++, at += k) {
      long bit = admitAt(this.at, at) ? 1 : 0;
      fresh[i / Long.SIZE] |= bit << i;
    }
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
}
