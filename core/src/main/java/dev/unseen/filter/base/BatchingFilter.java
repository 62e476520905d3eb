package dev.unseen.filter.base;

import dev.unseen.bits.Answers;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.state.Stateful;
import java.util.Objects;

/**
 * The batch path that all filters share. A filter larger than the caches waits for memory at each
 * hash. So a block of hashes is first located, then touched: the words in question are read, and
 * since no read depends on another, the processor waits for many at once. Then the block is decided
 * one by one.
 */
public abstract class BatchingFilter implements DuplicateFilter, Stateful {
  /**
   * Positions in a block: more than a core has reads in flight, and their lines fit the L1 cache.
   */
  protected static final int POSITIONS = 128;

  private final FilterSpec spec;
  private final int block;

  @SuppressWarnings("unused") // written so that the reads are not optimised away
  private long touched;

  /**
   * A filter of this spec.
   *
   * @param block the hashes of a block
   */
  protected BatchingFilter(FilterSpec spec, int block) {
    this.spec = spec;
    this.block = block;
  }

  /**
   * Takes in a block of hashes, from {@code offset} on, and sets the bits of those admitted among
   * the bits {@code from..to-1} of {@code fresh}.
   */
  protected abstract void admitBlock(long[] hashes, int offset, int from, int to, long[] fresh);

  /** Joins another filter of the same spec into this one; neither is empty. */
  public abstract void merge(BatchingFilter other);

  /** To be called with a sum of all that a block has read. */
  protected final void touched(long sum) {
    touched = sum;
  }

  @Override
  public final int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = Answers.clear(fresh, count);
    for (int i = 0; i < count; i += block) {
      admitBlock(hashes, offset + i, i, Math.min(i + block, count), fresh);
    }
    int admitted = 0;
    for (int i = 0; i < words; i++) {
      admitted += Long.bitCount(fresh[i]);
    }
    return admitted;
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }
}
