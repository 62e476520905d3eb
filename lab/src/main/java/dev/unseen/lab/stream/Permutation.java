package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;

/**
 * Shuffles the numbers 0..size-1 without an array: the new place of each number is computed.
 *
 * <p>It is a Feistel network over pairs of numbers below side, the square root of the size rounded
 * up: each round adds a hash of one half to the other, modulo side, which is a bijection whatever
 * the hash. There are slightly more pairs than numbers; a number that falls outside is permuted
 * again until it is inside, which takes one step in practice.
 *
 * <p>Reference: Black and Rogaway, <i>Ciphers with arbitrary finite domains</i>, 2002.
 */
final class Permutation {
  private static final int ROUNDS = 4;

  private final long size;
  private final long side;
  private final long[] keys = new long[ROUNDS];

  Permutation(long size, long seed) {
    this.size = size;
    long root = (long) Math.sqrt((double) size);
    while (root * root < size) {
      root++;
    }
    this.side = root;
    for (int i = 0; i < ROUNDS; i++) {
      keys[i] = Mix.mix(seed + (i + 1) * Mix.GOLDEN);
    }
  }

  /** Returns the new place of {@code i}. */
  long at(long i) {
    long x = i;
    do {
      x = step(x);
    } while (x >= size);
    return x;
  }

  private long step(long x) {
    long left = x / side;
    long right = x - left * side;
    for (long key : keys) {
      long sum = left + Mix.reduce(Mix.mix(right + key), side);
      left = right;
      right = sum < side ? sum : sum - side;
    }
    return left * side + right;
  }
}
