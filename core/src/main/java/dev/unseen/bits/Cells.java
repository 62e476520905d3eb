package dev.unseen.bits;

import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;

/**
 * Small counters of 1 to 4 bits that are set to their maximum, decremented in runs, and tested for
 * zero: the cells of the stable Bloom filter.
 *
 * <pre>
 * 64 cells of d bits are d adjacent words, one for each binary digit:
 *
 *   word 3j     ones digits  of cells 64j .. 64j+63
 *   word 3j+1   twos digits                          (d = 3)
 *   word 3j+2   fours digits
 * </pre>
 *
 * No bit is wasted for any d, a cell is zero if its bit is clear in all d words, and a run of cells
 * is decremented at once by subtraction with borrow, digit by digit.
 */
public final class Cells implements Stateful {
  private final Words words;
  private final int digits;
  private final long count;
  private long zeros;

  public Cells(long memoryWords, int cellBits) {
    this.digits = cellBits;
    this.count = countIn(memoryWords, cellBits);
    this.words = new Words((count >>> 6) * digits);
    this.zeros = count;
  }

  /** Returns the number of cells of this many bits that fit into this many words. */
  public static long countIn(long memoryWords, int cellBits) {
    return memoryWords / cellBits * 64;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    zeros = visitor.number("zeros", zeros, 0, count);
    visitor.words(words, new ZerosCheck());
  }

  /** Counts the cells that are not zero. The words of 64 cells may lie in two blocks. */
  private final class ZerosCheck implements StorageCheck {
    private long nonZero;
    private long any;

    @Override
    public void take(long index, long[] block, int from, int count) {
      for (int i = 0; i < count; i++) {
        any |= block[from + i];
        if ((index + i + 1) % digits == 0) {
          nonZero += Long.bitCount(any);
          any = 0;
        }
      }
    }

    @Override
    public void end() {
      StorageCheck.requireCount("zeros", zeros, Cells.this.count - nonZero);
    }
  }

  /** Raises each cell to the value of the same cell in another object, if that is larger. */
  public void max(Cells other) {
    for (long first = 0; first < words.length(); first += digits) {
      long larger = 0; // the cells that are larger in the other, by the highest digit that differs
      long decided = 0;
      for (int d = digits - 1; d >= 0; d--) {
        long differs = (words.get(first + d) ^ other.words.get(first + d)) & ~decided;
        larger |= differs & other.words.get(first + d);
        decided |= differs;
      }
      for (int d = 0; d < digits; d++) {
        long digit = words.get(first + d);
        words.set(first + d, digit ^ ((digit ^ other.words.get(first + d)) & larger));
      }
    }
    zeros = count - countNonZero();
  }

  public long count() {
    return count;
  }

  public boolean isZero(long cell) {
    return ((nonZero((cell >>> 6) * digits) >>> cell) & 1) == 0;
  }

  public void setToMax(long cell) {
    long first = (cell >>> 6) * digits;
    long bit = 1L << cell;
    zeros -= (nonZero(first) & bit) == 0 ? 1 : 0;
    for (int d = 0; d < digits; d++) {
      words.set(first + d, words.get(first + d) | bit);
    }
  }

  /** Subtracts one from each of a run of cells, except cells that are zero. */
  public void decrement(long start, int run) {
    long cell = start;
    int left = run;
    while (left > 0) {
      int low = (int) cell & 63;
      int here = Math.min(left, 64 - low);
      decrementWithin(cell >>> 6, (-1L >>> (64 - here)) << low);
      left -= here;
      cell += here;
      if (cell == count) {
        cell = 0; // the neighbor of the last cell is the first
      }
    }
  }

  private void decrementWithin(long group, long cells) {
    long first = group * digits;
    long before = nonZero(first);
    if ((before & cells) == 0) {
      return;
    }
    long borrow = cells & before;
    for (int d = 0; d < digits && borrow != 0; d++) {
      long digit = words.get(first + d);
      words.set(first + d, digit ^ borrow);
      borrow &= ~digit; // a zero digit borrows from the next
    }
    zeros += Long.bitCount(before & ~nonZero(first));
  }

  private long nonZero(long first) {
    long any = words.get(first);
    for (int d = 1; d < digits; d++) {
      any |= words.get(first + d);
    }
    return any;
  }

  public long touch(long cell) {
    return words.get((cell >>> 6) * digits);
  }

  public double load() {
    return 1 - (double) zeros / count;
  }

  /** Counts the cells that are not zero again, for a check of the stored count. */
  public long countNonZero() {
    long sum = 0;
    for (long first = 0; first < words.length(); first += digits) {
      sum += Long.bitCount(nonZero(first));
    }
    return sum;
  }

  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }
}
