package dev.unseen.filter;

import java.util.Objects;

/**
 * The batch path that all filters share. A filter larger than the caches waits for memory at each
 * hash. So a block of hashes is first touched: its words are read, and since no read depends on
 * another, the processor waits for all of them at once. Then the block is decided one by one.
 */
abstract class BatchingFilter implements DuplicateFilter {
  /**
   * One word of answers. With two hashes it also touches few enough lines to stay in the L1 cache.
   */
  private static final int BLOCK = Long.SIZE;

  private final FilterSpec spec;

  @SuppressWarnings({
    "unused",
    "FieldCanBeLocal"
  }) // written so that the reads are not optimised away
  private long touched;

  BatchingFilter(FilterSpec spec) {
    this.spec = spec;
  }

  /** Reads the words that {@link #admit} will need for this hash, and returns anything of them. */
  abstract long touch(long hash);

  @Override
  public final int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = (count + BLOCK - 1) / BLOCK;
    if (fresh.length < words) {
      throw new IllegalArgumentException(
          "fresh (%d words) must have a bit for each of %d hashes: %d words"
              .formatted(fresh.length, count, words));
    }
    int admitted = 0;
    for (int w = 0; w < words; w++) {
      int from = offset + w * BLOCK;
      long bits = admitBlock(hashes, from, Math.min(from + BLOCK, offset + count));
      fresh[w] = bits;
      admitted += Long.bitCount(bits);
    }
    return admitted;
  }

  private long admitBlock(long[] hashes, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += touch(hashes[i]);
    }
    touched = sum;
    long bits = 0;
    for (int i = from; i < to; i++) {
      bits |= (admit(hashes[i]) ? 1L : 0L) << (i - from);
    }
    return bits;
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }
}
