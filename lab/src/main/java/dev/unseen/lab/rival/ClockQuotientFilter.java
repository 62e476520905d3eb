package dev.unseen.lab.rival;

import dev.unseen.hash.Mix;
import java.util.Arrays;

/**
 * qfCLOCK: one quotient filter for all keys, with a mark per key and a hand. The filter is the RSQF
 * (Pandey, Bender, Johnson, Patro, <i>A general-purpose counting filter: making every bit
 * count</i>, SIGMOD 2017), which does not forget; the hand is CLOCK (Corbató, <i>A paging
 * experiment with the Multics system</i>, 1968).
 *
 * <pre>
 * s slots; a fingerprint is a quotient below s, its home, and a remainder of r bits
 * fingerprints are stored in ascending order, each at its home or, if that is taken, after it
 * for each element e with fingerprint x:
 *   if x is stored: a DUPLICATE; set its mark
 *   else DISTINCT, and then
 *     if 95 % of the slots are in use:
 *       while the fingerprint at the hand has a mark: clear the mark; move the hand on
 *       remove the fingerprint at the hand
 *     store x without a mark
 * </pre>
 *
 * <b>Its memory is the published cost, not measured.</b> A slot counts as r + 2.125 bits, which the
 * RSQF takes, and one for the mark. Here it is a whole word: a quotient with its remainder and its
 * mark, in an array of ordered linear probing, which stores the same fingerprints in the same order
 * and gives the same answers. The array has some slots more at its end, in place of a way around.
 */
final class ClockQuotientFilter implements Contestant {
  private static final double MAX_LOAD = 0.95;
  private static final double BITS_BESIDE = 2.125 + 1; // the paper's, and the mark
  private static final long EMPTY = -1;
  private static final long SPARE = 4096; // far more than the longest way from home at 95 %

  private final long slots;
  private final long capacity;
  private final int remainderBits;
  private final long seed;
  private final long[] table; // 2 fingerprint + mark, ascending but for the empty ones
  private long stored;
  private int hand;

  ClockQuotientFilter(long memoryBytes, int remainderBits, long seed) {
    this.slots = (long) (memoryBytes * Byte.SIZE / (remainderBits + BITS_BESIDE));
    this.capacity = Math.max(1, (long) (MAX_LOAD * slots));
    this.remainderBits = remainderBits;
    this.seed = Mix.mix(seed);
    this.table = new long[Math.toIntExact(slots + Math.min(slots, SPARE))];
    Arrays.fill(table, EMPTY);
  }

  @Override
  public boolean admit(long hash) {
    long h = Mix.mix(hash ^ seed);
    long remainder = Mix.mix(h + Mix.GOLDEN) >>> (Long.SIZE - remainderBits);
    long x = Mix.reduce(h, slots) << remainderBits | remainder;
    int slot = find(x);
    if (table[slot] >>> 1 == x) {
      table[slot] |= 1;
      return false;
    }
    if (stored == capacity) {
      evict();
      slot = find(x);
    }
    insert(slot, x);
    return true;
  }

  /** Returns the slot of a fingerprint, or the one where it would be stored. */
  private int find(long x) {
    int slot = home(x);
    while (table[slot] != EMPTY && table[slot] >>> 1 < x) {
      slot++;
    }
    return slot;
  }

  private int home(long x) {
    return (int) (x >>> remainderBits);
  }

  private void insert(int slot, long x) {
    int free = slot;
    while (table[free] != EMPTY) {
      free++;
    }
    System.arraycopy(table, slot, table, slot + 1, free - slot);
    table[slot] = x << 1;
    stored++;
  }

  private void evict() {
    while (table[hand] == EMPTY || (table[hand] & 1) != 0) {
      if (table[hand] != EMPTY) {
        table[hand] &= ~1L;
      }
      hand = hand + 1 < table.length ? hand + 1 : 0;
    }
    int end = hand + 1; // those after it move down, up to one that is at home
    while (table[end] != EMPTY && home(table[end] >>> 1) < end) {
      end++;
    }
    System.arraycopy(table, hand + 1, table, hand, end - hand - 1);
    table[end - 1] = EMPTY;
    stored--;
  }

  @Override
  public long memoryBytes() {
    return (long) Math.ceil(slots * (remainderBits + BITS_BESIDE) / Byte.SIZE);
  }

  /** Returns the false positive rate of a full filter: 0.95 keys per slot, and 2^-r of each. */
  static double fullFpr(int remainderBits) {
    return -Math.expm1(-MAX_LOAD * Math.pow(2, -remainderBits));
  }
}
