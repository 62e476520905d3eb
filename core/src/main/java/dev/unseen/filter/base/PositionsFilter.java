package dev.unseen.filter.base;

import dev.unseen.filter.FilterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the filters that look at k positions of each hash. It locates the positions of
 * a block first, together with the random positions that the next insertions will reset, because
 * the generator can look ahead.
 */
public abstract class PositionsFilter extends BatchingFilter {
  private final int positions; // of each hash
  protected final long[] at; // the positions of a block's hashes, then of random resets

  /** The number of positions, of a bank or of the filter, among which random resets are drawn. */
  protected long reach;

  /** The number of insertions so far that drew random positions, counted by the filters. */
  protected long insertions;

  /** The number of insertions whose random positions have been touched. */
  private long touchedInsertions;

  protected PositionsFilter(FilterSpec spec) {
    this(spec, spec.hashes(), false);
  }

  /**
   * Creates a filter with this number of positions per hash, which may know random resets ahead, at
   * most as many for each insertion.
   */
  protected PositionsFilter(FilterSpec spec, int positions, boolean resets) {
    super(spec, POSITIONS / positions);
    this.positions = positions;
    this.at = new long[resets ? 2 * POSITIONS : POSITIONS];
  }

  /** Draws random resets from this share of the positions only, for an experiment. */
  public final void limitResets(double share) {
    reach = Math.max(1, (long) (reach * share));
  }

  /** Writes the k positions of a hash. */
  protected abstract void locate(long hash, long[] at, int from);

  /** Reads the word at a position. */
  protected abstract long touch(long position);

  /**
   * Writes the positions that the random resets of a later insertion will need; 0 is the next. A
   * wrong guess only costs time. Returns the end of the positions.
   */
  protected int locateResetsOf(int insertion, long[] at, int from) {
    return from;
  }

  /** Checks the hash that has these k positions, and remembers it. */
  protected abstract boolean admitAt(long[] at, int from);

  @Override
  public boolean admit(long hash, long millis) {
    locate(hash, at, 0);
    return admitAt(at, 0);
  }

  @Override
  protected final void admitBlock(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int from,
      int to,
      long[] fresh,
      long @Nullable [] late) {
    int k = positions;
    int end = 0;
    for (int i = from; i < to; i++, end += k) {
      locate(hashes[offset + i - from], at, end);
    }
    end = locateResets(to - from, end);
    // This loop only reads: the closer the reads follow each other, the more of them wait together.
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

  @Override
  protected final void touchBlock(long[] hashes, int offset, int count) {
    int end = 0;
    for (int i = 0; i < count; i++, end += positions) {
      locate(hashes[offset + i], at, end);
    }
    long sum = 0;
    for (int i = 0; i < end; i++) {
      sum += touch(at[i]);
    }
    touched(sum);
  }

  /** Writes the positions that a block may reset, without those that were touched before. */
  private int locateResets(int records, int from) {
    int end = from;
    for (long i = Math.max(insertions, touchedInsertions); i < insertions + records; i++) {
      end = locateResetsOf((int) (i - insertions), at, end);
    }
    touchedInsertions = insertions + records;
    return end;
  }
}
