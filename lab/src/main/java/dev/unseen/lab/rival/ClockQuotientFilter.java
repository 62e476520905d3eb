package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import java.math.BigInteger;
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
 *     if 95 % of the slots are in use: until one is removed:
 *       of the fingerprints whose quotient is the hand, clear the marks of those that have one, and
 *         remove the others; move the hand on
 *     store x without a mark
 * </pre>
 *
 * <b>Its memory is the published cost, not measured.</b> A slot counts as r + 2.125 bits, which the
 * RSQF takes, and one for the mark. Here it is a whole word: a quotient with its remainder and its
 * mark, in an array of ordered linear probing, which stores the same fingerprints in the same order
 * and gives the same answers. The array has some slots more at its end, in place of a way around.
 *
 * <p>The hand goes round in long strides. If it went from quotient to quotient, it would leave
 * empty slots behind, and those in front of it would have to hold up to twice the mean.
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
  private final long[] table; // 2 fingerprint + mark, ascending except for the empty ones
  private long stored;
  private final long stride; // has no factor in common with the slots, so the hand visits all
  private long hand; // a quotient

  ClockQuotientFilter(long memoryBytes, int remainderBits, long seed) {
    this.slots = (long) (memoryBytes * Byte.SIZE / (remainderBits + BITS_BESIDE));
    this.capacity = Math.max(1, (long) (MAX_LOAD * slots));
    this.remainderBits = remainderBits;
    this.seed = Mix.mix(seed);
    this.table = new long[Math.toIntExact(slots + Math.min(slots, SPARE))];
    this.stride = stride(slots);
    Arrays.fill(table, EMPTY);
  }

  private static long stride(long slots) {
    long stride = (long) (slots * (Math.sqrt(5) - 1) / 2);
    while (BigInteger.valueOf(stride).gcd(BigInteger.valueOf(slots)).longValue() != 1) {
      stride++;
    }
    return stride;
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

  /** Visits quotients until a fingerprint without a mark was found. */
  private void evict() {
    for (long before = stored; stored == before; hand = (hand + stride) % slots) {
      int slot = find(hand << remainderBits);
      while (table[slot] != EMPTY && home(table[slot] >>> 1) == hand) {
        if ((table[slot] & 1) == 0) {
          remove(slot);
        } else {
          table[slot++] &= ~1L;
        }
      }
    }
  }

  private void remove(int slot) {
    int end = slot + 1; // those after it move down, up to one that is at home
    while (table[end] != EMPTY && home(table[end] >>> 1) < end) {
      end++;
    }
    System.arraycopy(table, slot + 1, table, slot, end - slot - 1);
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
