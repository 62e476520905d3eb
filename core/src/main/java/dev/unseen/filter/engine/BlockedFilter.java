package dev.unseen.filter.engine;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.bits.Words;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.PositionsFilter;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import java.io.IOException;

/**
 * BSBF and RLBSBF in blocks of one cache line: all that a record reads and changes is in its block,
 * which is one access to memory instead of 2k.
 *
 * <pre>
 * for each element e:
 *   B = the block of e, 512 bits in k parts; H = the k positions of e, one in each part
 *   if all bits in H are set: e is a DUPLICATE
 *   else e is DISTINCT:
 *     in each part of B: select a random bit; reset it (BSBF), or reset it with probability L/512,
 *       L being the ones of the block (RLBSBF)
 *     set all bits in H
 * </pre>
 *
 * It varies from the paper's RLBSBF in that the load is that of the block, of all its parts. Blocks
 * differ in how many keys they have, which costs 1 to 4 % more errors for k = 2 and up to 12 % more
 * false positives for k = 8 (docs/decisions/0007-blocks.md). Block-wise Bloom filters are of Putze,
 * Sanders and Singler, 2007.
 */
final class BlockedFilter extends PositionsFilter {
  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_WORDS = BLOCK_BITS / Long.SIZE;

  final Words words;
  private final long blocks;
  private final long partBits;
  private final boolean balanced;
  private final SplitMix64 random;
  private long ones;

  BlockedFilter(FilterSpec spec) {
    super(spec, 1, false);
    this.blocks = spec.bits() / BLOCK_BITS;
    this.words = new Words(blocks * BLOCK_WORDS);
    this.partBits = BLOCK_BITS / spec.hashes();
    this.balanced = spec.kind() == FilterKind.RLBSBF_BLOCKED;
    this.random = new SplitMix64(spec.seed());
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    random.state(visitor);
    ones = visitor.number("ones", ones, 0, blocks * BLOCK_BITS);
    visitor.words(words, new OnesCheck());
  }

  /** Counts the ones, and rejects ones after the last part of a block, where there can be none. */
  private final class OnesCheck implements StorageCheck {
    private final long end = partBits * spec().hashes();
    private long found;

    @Override
    public void take(long index, long[] block, int from, int count) {
      for (int i = 0; i < count; i++) {
        long word = block[from + i];
        long first = (index + i) % BLOCK_WORDS * Long.SIZE;
        long spare = end >= first + Long.SIZE ? 0 : end <= first ? -1 : -1L << end;
        StorageCheck.requireCount("ones behind the last part", 0, Long.bitCount(word & spare));
        found += Long.bitCount(word);
      }
    }

    @Override
    public void end() {
      StorageCheck.requireCount("ones", ones, found);
    }
  }

  @Override
  public void merge(BatchingFilter other) {
    words.or(((BlockedFilter) other).words);
    ones = words.countOnes();
  }

  /**
   * Keeps the hash itself: all its positions are in one block, so only the block has to be touched.
   */
  @Override
  protected void locate(long hash, long[] at, int from) {
    at[from] = hash;
  }

  @Override
  protected long touch(long hash) {
    return words.get(firstWord(hash));
  }

  private long firstWord(long hash) {
    return Mix.reduce(Mix.mix(hash), blocks) * BLOCK_WORDS;
  }

  /** Returns the position of the i-th bit of a hash in its block. */
  private int bit(long hash, int i) {
    return (int) (partBits * i + Mix.reduce(Mix.mix(hash + (i + 1) * Mix.GOLDEN), partBits));
  }

  /**
   * Returns whether all bits of a hash are set in its block, which begins at this word of an array.
   */
  private boolean allSet(long[] block, int at, long hash) {
    int last = spec().hashes() - 1;
    long all = shifted(block, at, bit(hash, 0)) & shifted(block, at, bit(hash, last));
    for (int i = 1; i < last; i++) { // none if k = 2; see BitBanks
      all &= shifted(block, at, bit(hash, i));
    }
    return (all & 1) != 0;
  }

  private static long shifted(long[] block, int at, int bit) {
    return block[at + (bit >>> 6)] >>> bit;
  }

  @Override
  protected boolean admitAt(long[] hashes, int from) {
    long hash = hashes[from];
    long first = firstWord(hash);
    long[] block = words.chunk(first);
    int at = Words.inChunk(first);
    if (allSet(block, at, hash)) {
      return false;
    }
    insert(block, at, hash);
    return true;
  }

  private void insert(long[] block, int at, long hash) {
    int k = spec().hashes();
    int load = balanced ? onesOf(block, at) : BLOCK_BITS;
    for (int i = 0; i < k; i++) {
      int bit = (int) (partBits * i + random.below(partBits));
      if (!balanced || random.chance(load, BLOCK_BITS)) {
        ones -= shifted(block, at, bit) & 1;
        block[at + (bit >>> 6)] &= ~(1L << bit);
      }
    }
    for (int i = 0; i < k; i++) {
      int bit = bit(hash, i);
      ones += ~shifted(block, at, bit) & 1;
      block[at + (bit >>> 6)] |= 1L << bit;
    }
  }

  private static int onesOf(long[] block, int at) {
    int sum = 0;
    for (int i = 0; i < BLOCK_WORDS; i++) {
      sum += Long.bitCount(block[at + i]);
    }
    return sum;
  }

  @Override
  public boolean mightContain(long hash) {
    long first = firstWord(hash);
    return allSet(words.chunk(first), Words.inChunk(first), hash);
  }

  @Override
  public double load() {
    return (double) ones / (blocks * partBits * spec().hashes());
  }

  /**
   * Estimates the rate from the average load. Blocks that are fuller than others make the true rate
   * a little higher.
   */
  @Override
  public double estimatedFpr() {
    return Math.pow(load(), spec().hashes());
  }

  @Override
  public double estimatedCardinality() {
    double positions = (double) blocks * partBits;
    return -positions * Math.log(Math.max(1 - load(), 0.5 / positions));
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
