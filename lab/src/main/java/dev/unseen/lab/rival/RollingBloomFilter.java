package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.state.Words;

/**
 * Rolling Bloom: Bitcoin Core's {@code CRollingBloomFilter} (src/common/bloom.h and bloom.cpp),
 * with which a node remembers the transactions and addresses that a peer knows already.
 *
 * <pre>
 * m cells of 2 bits, a generation from 1 to 3, 0 if empty; k = round(-log2(rate)) hashes
 * for each element e:
 *   e is a DUPLICATE if none of its k cells is 0, else DISTINCT
 *   if DISTINCT:
 *     if g elements have been inserted in this generation: the next one, from 1 to 3 and around,
 *       begins; cells of that generation, which is the oldest, become 0
 *     its k cells get this generation
 * </pre>
 *
 * The last 2 g elements are always found, and up to 3 g. The rate is that of a Bloom filter with 3
 * g elements: (1 - e^(-3 g k / m))^k, from which Bitcoin Core computes m, and we g.
 *
 * <p>Where we leave the original: the cells of a word are next to each other, where it has the low
 * bits of 64 cells in one word and the high bits in the next. Duplicates are not inserted again, as
 * in those of its callers that ask before they insert.
 */
final class RollingBloomFilter implements Contestant {
  private static final int GENERATIONS = 3;
  private static final long LOW_BITS = 0x5555_5555_5555_5555L;

  private final Words words;
  private final long cells;
  private final int hashes;
  private final long perGeneration;
  private final long seed;
  private long generation = 1;
  private long inserted;

  RollingBloomFilter(long memoryBytes, double rate, long seed) {
    this.words = new Words(memoryBytes / Long.BYTES);
    this.cells = words.length() * Integer.SIZE;
    this.hashes = hashes(rate);
    double elements = -Math.log1p(-Math.pow(rate, 1.0 / hashes)) * cells / hashes;
    this.perGeneration = Math.max(1, (long) (elements / GENERATIONS));
    this.seed = Mix.mix(seed);
  }

  /** Returns the number of hashes for a rate. */
  static int hashes(double rate) {
    return (int) Math.max(1, Math.min(50, Math.round(-Math.log(rate) / Math.log(2))));
  }

  @Override
  public boolean admit(long hash) {
    long h = hash ^ seed;
    boolean fresh = !contains(h);
    if (fresh) {
      insert(h);
    }
    return fresh;
  }

  private boolean contains(long h) {
    for (int i = 0; i < hashes; i++) {
      long cell = cell(h, i);
      if ((words.get(cell / Integer.SIZE) >>> shift(cell) & 3) == 0) {
        return false;
      }
    }
    return true;
  }

  private void insert(long h) {
    if (inserted == perGeneration) {
      inserted = 0;
      generation = generation % GENERATIONS + 1;
      clear(generation);
    }
    inserted++;
    for (int i = 0; i < hashes; i++) {
      long cell = cell(h, i);
      long word = words.get(cell / Integer.SIZE) & ~(3L << shift(cell));
      words.set(cell / Integer.SIZE, word | generation << shift(cell));
    }
  }

  /** Empties the cells of a generation, 32 at a time. */
  private void clear(long old) {
    for (long w = 0; w < words.length(); w++) {
      long other = words.get(w) ^ old * LOW_BITS; // 0 in the cells of that generation
      long kept = (other | other >>> 1) & LOW_BITS;
      words.set(w, words.get(w) & 3 * kept);
    }
  }

  private long cell(long h, int i) {
    return Mix.reduce(Mix.mix(h + i * Mix.GOLDEN), cells);
  }

  private static int shift(long cell) {
    return (int) (cell % Integer.SIZE) * 2;
  }

  /** Returns the number of elements of a generation: the last two generations are found. */
  long perGeneration() {
    return perGeneration;
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /**
   * Returns the false positive rate on an endless stream of new keys, where two to three
   * generations are stored: the mean of Bloom's formula.
   */
  static double steadyFpr(double rate) {
    int k = hashes(rate);
    double full = -Math.log1p(-Math.pow(rate, 1.0 / k)); // hashes per cell of three generations
    int steps = 100;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      double share = (2 + (i + 0.5) / steps) / GENERATIONS;
      sum += Math.pow(-Math.expm1(-full * share), k);
    }
    return sum / steps;
  }
}
