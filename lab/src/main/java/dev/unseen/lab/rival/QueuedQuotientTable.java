package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;

/**
 * QQHTD, queued quotient hash table with duplicates (Géraud, Lombard-Platet, Naccache, <i>Quotient
 * hash tables: efficiently detecting duplicates in streaming data</i>, SAC 2019, arXiv 1901.04358).
 *
 * <pre>
 * cells of b buckets, a fingerprint of f bits each, 0 if empty
 * for each element e with address a and fingerprint x:
 *   e is a DUPLICATE if x is in a bucket of cell a, else DISTINCT
 *   push x into the queue that the cell's buckets are: the oldest falls out
 * </pre>
 *
 * The D stands for duplicates: they are pushed, too, and a cell may hold a fingerprint twice. With
 * {@code pushDuplicates} false only new ones are: each cell is then a queue without repeats, QQHT
 * here, which loses less where duplicates abound. A bucket is a {@linkplain Slots slot} here.
 */
final class QueuedQuotientTable implements Contestant {
  private final Slots cells;
  private final int bits;
  private final boolean pushDuplicates;
  private final long seed;

  QueuedQuotientTable(long memoryBytes, int buckets, int bits, boolean pushDuplicates, long seed) {
    this.cells = new Slots(memoryBytes, buckets, bits);
    this.bits = bits;
    this.pushDuplicates = pushDuplicates;
    this.seed = Mix.mix(seed);
  }

  @Override
  public boolean admit(long hash) {
    long h = Mix.mix(hash ^ seed);
    long cell = Mix.reduce(h, cells.buckets());
    long x = Slots.fingerprint(Mix.mix(h + Mix.GOLDEN), bits);
    boolean fresh = cells.find(cell, x) < 0;
    if (fresh || pushDuplicates) {
      for (int i = cells.perBucket() - 1; i > 0; i--) {
        cells.set(cell, i, cells.get(cell, i - 1));
      }
      cells.set(cell, 0, x); // the newest first
    }
    return fresh;
  }

  @Override
  public long memoryBytes() {
    return cells.memoryBytes();
  }

  /** Returns the false positive rate of full cells: 1 - (1 - 2^-f)^b. */
  static double fullFpr(int buckets, int bits) {
    return -Math.expm1(buckets * Math.log1p(-Math.pow(2, -bits)));
  }
}
