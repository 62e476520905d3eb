package dev.unseen.filter;

import dev.unseen.bits.SplitMix64;
import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Words;
import dev.unseen.hash.Mix;
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
final class BlockedFilter extends BatchingFilter {
  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_WORDS = BLOCK_BITS / Long.SIZE;

  final Words words;
  private final long blocks;
  private final long partBits;
  private final boolean balanced;
  private final SplitMix64 random;
  private long ones;

  BlockedFilter(FilterSpec spec) {
    super(spec);
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
    visitor.words(words);
  }

  @Override
  void merge(BatchingFilter other) {
    words.or(((BlockedFilter) other).words);
    ones = words.countOnes();
  }

  @Override
  void locate(long hash, long[] at, int from) {
    long block = Mix.reduce(Mix.mix(hash), blocks) * BLOCK_BITS;
    for (int i = 0; i < spec().hashes(); i++) {
      at[from + i] =
          block + partBits * i + Mix.reduce(Mix.mix(hash + (i + 1) * Mix.GOLDEN), partBits);
    }
  }

  @Override
  long touch(long position) {
    return words.get(position >>> 6);
  }

  @Override
  boolean admitAt(long[] at, int from) {
    int k = spec().hashes();
    boolean seen = true;
    for (int i = 0; i < k; i++) {
      seen &= words.getBit(at[from + i]);
    }
    if (seen) {
      return false;
    }
    long block = at[from] & -BLOCK_BITS;
    int load = balanced ? onesOf(block) : BLOCK_BITS;
    for (int i = 0; i < k; i++) {
      long bit = block + partBits * i + random.below(partBits);
      if (!balanced || random.chance(load, BLOCK_BITS)) {
        ones -= words.clearBit(bit);
      }
    }
    for (int i = 0; i < k; i++) {
      ones += words.setBit(at[from + i]);
    }
    return true;
  }

  private int onesOf(long block) {
    long[] chunk = words.chunk(block >>> 6);
    int first = Words.inChunk(block >>> 6);
    int sum = 0;
    for (int i = 0; i < BLOCK_WORDS; i++) {
      sum += Long.bitCount(chunk[first + i]);
    }
    return sum;
  }

  @Override
  public boolean mightContain(long hash) {
    long[] at = new long[spec().hashes()];
    locate(hash, at, 0);
    for (long position : at) {
      if (!words.getBit(position)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public double load() {
    return (double) ones / (blocks * partBits * spec().hashes());
  }

  /** By the average load: blocks that are fuller than others make it a little more. */
  @Override
  public double estimatedFpr() {
    return Math.pow(load(), spec().hashes());
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
