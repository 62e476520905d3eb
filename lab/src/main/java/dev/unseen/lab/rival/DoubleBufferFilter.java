package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.state.Words;

/**
 * A2, two active buffers (Yoon, <i>Aging Bloom filter with two active buffers for dynamic sets</i>,
 * IEEE TKDE 22, 2010).
 *
 * <pre>
 * two Bloom filters of m = M/2 bits with k hashes each, active1 and active2
 * for each element e:
 *   if e is in active1: a DUPLICATE
 *   else: a DUPLICATE if e is in active2, else DISTINCT
 *     if active1 holds n elements: clear active2, and let the two change names
 *     insert e into active1
 * </pre>
 *
 * n is where the load of a Bloom filter reaches a half, m ln 2 / k, which the paper derives as the
 * best; we leave that load free as {@code fill}.
 *
 * <p>Elements of which fewer than n others have been inserted since are never missed.
 */
final class DoubleBufferFilter implements Contestant {
  private final Words words;
  private final long half; // words of a buffer
  private final int hashes;
  private final long seed;
  private final long capacity;
  private long active1; // its first word: 0 or half
  private long inserted;

  DoubleBufferFilter(long memoryBytes, int hashes, double fill, long seed) {
    this.half = memoryBytes / Long.BYTES / 2;
    this.words = new Words(2 * half);
    this.hashes = hashes;
    this.seed = Mix.mix(seed);
    this.capacity = Math.max(1, (long) (-Math.log1p(-fill) * half * Long.SIZE / hashes));
  }

  @Override
  public boolean admit(long hash) {
    long h = hash ^ seed;
    if (isIn(active1, h)) {
      return false;
    }
    boolean fresh = !isIn(half - active1, h);
    if (inserted == capacity) {
      change();
    }
    for (int i = 0; i < hashes; i++) {
      words.setBit(position(active1, h, i));
    }
    inserted++;
    return fresh;
  }

  private boolean isIn(long buffer, long h) {
    for (int i = 0; i < hashes; i++) {
      if (!words.getBit(position(buffer, h, i))) {
        return false;
      }
    }
    return true;
  }

  private void change() {
    active1 = half - active1;
    for (long w = 0; w < half; w++) {
      words.set(active1 + w, 0);
    }
    inserted = 0;
  }

  private long position(long buffer, long h, int i) {
    return buffer * Long.SIZE + Mix.reduce(Mix.mix(h + i * Mix.GOLDEN), half * Long.SIZE);
  }

  /** Returns the n of the paper: the last n elements are never missed. */
  long capacity() {
    return capacity;
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /**
   * Returns the false positive rate on an endless stream of new keys: 1 - (1 - p1^k)(1 - p2^k) with
   * the load p2 = fill, and p1 growing up to it, averaged.
   */
  static double steadyFpr(int hashes, double fill) {
    int steps = 100;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      double load = -Math.expm1(Math.log1p(-fill) * (i + 0.5) / steps);
      sum += 1 - (1 - Math.pow(load, hashes)) * (1 - Math.pow(fill, hashes));
    }
    return sum / steps;
  }
}
