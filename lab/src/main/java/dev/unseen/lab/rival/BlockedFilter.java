package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.state.Words;

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
final class BlockedFilter implements Contestant {
  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_WORDS = BLOCK_BITS / Long.SIZE;

  private final Words words;
  private final long blocks;
  private final int hashes;
  private final long partBits;
  private final boolean balanced;
  private final SplitMix64 random;

  /** Creates an empty filter: BSBF, or RLBSBF if it is balanced. */
  BlockedFilter(long memoryBytes, int hashes, boolean balanced, long seed) {
    this.blocks = memoryBytes / (BLOCK_WORDS * Long.BYTES);
    this.words = new Words(blocks * BLOCK_WORDS);
    this.hashes = hashes;
    this.partBits = BLOCK_BITS / hashes;
    this.balanced = balanced;
    this.random = new SplitMix64(seed);
  }

  @Override
  public boolean admit(long hash) {
    long first = Mix.reduce(Mix.mix(hash), blocks) * BLOCK_WORDS;
    long[] block = words.chunk(first);
    int at = Words.inChunk(first);
    if (allSet(block, at, hash)) {
      return false;
    }
    insert(block, at, hash);
    return true;
  }

  private boolean allSet(long[] block, int at, long hash) {
    long all = 1;
    for (int i = 0; i < hashes; i++) {
      int bit = bit(hash, i);
      all &= block[at + (bit >>> 6)] >>> bit;
    }
    return all != 0;
  }

  private void insert(long[] block, int at, long hash) {
    int load = balanced ? onesOf(block, at) : BLOCK_BITS;
    for (int i = 0; i < hashes; i++) {
      int bit = (int) (partBits * i + random.below(partBits));
      if (!balanced || random.chance(load, BLOCK_BITS)) {
        block[at + (bit >>> 6)] &= ~(1L << bit);
      }
    }
    for (int i = 0; i < hashes; i++) {
      int bit = bit(hash, i);
      block[at + (bit >>> 6)] |= 1L << bit;
    }
  }

  /** Returns the position of the i-th bit of a hash in its block. */
  private int bit(long hash, int i) {
    return (int) (partBits * i + Mix.reduce(Mix.mix(hash + (i + 1) * Mix.GOLDEN), partBits));
  }

  private static int onesOf(long[] block, int at) {
    int sum = 0;
    for (int i = 0; i < BLOCK_WORDS; i++) {
      sum += Long.bitCount(block[at + i]);
    }
    return sum;
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
