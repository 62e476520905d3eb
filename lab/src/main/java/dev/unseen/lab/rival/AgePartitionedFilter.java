package dev.unseen.lab.rival;

import dev.unseen.bits.Mix;
import dev.unseen.state.Words;

/**
 * APBF, age-partitioned Bloom filter (Shtul, Baquero, Almeida, <i>Age-partitioned Bloom
 * filters</i>, 2020, arXiv 2001.03147).
 *
 * <pre>
 * k+l slices of m bits, the youngest first, each with its own hash
 * for each element e:
 *   e is a DUPLICATE if k slices in a row have its bit set, else DISTINCT
 *   if DISTINCT: set the bits of e in the k youngest slices
 *   after g insertions: clear the oldest slice, which becomes the youngest
 * </pre>
 *
 * A slice takes k generations of g elements, and is to be half full then: g = m ln 2 / k. An
 * element is found until l generations have passed.
 *
 * <p>Where we leave the paper: rows are looked for youngest first, with the paper's skip of as many
 * slices as a missing bit rules out. With {@code refreshAge} above 0, duplicates found that many
 * generations old are inserted again, which the paper leaves to its user; without it an element's
 * age counts from its first occurrence. Ending generations by the load of a slice, not by a count,
 * which would suit refreshed elements, was tried: better on one trace, worse on another.
 */
final class AgePartitionedFilter implements Contestant {
  private final Words words;
  private final int k;
  private final int l;
  private final long sliceBits;
  private final long seed;
  private final long generation;
  private final int refreshAge;
  private int youngest; // the slice of age 0; the next ones, around the ring, are older
  private long inserted;

  AgePartitionedFilter(long memoryBytes, int k, int l, int refreshAge, long seed) {
    long bits = memoryBytes / Long.BYTES * Long.SIZE;
    this.words = new Words(bits / Long.SIZE);
    this.k = k;
    this.l = l;
    this.sliceBits = bits / (k + l);
    this.seed = Mix.mix(seed);
    this.generation = Math.max(1, (long) (sliceBits * Math.log(2) / k));
    this.refreshAge = refreshAge;
  }

  @Override
  public boolean admit(long hash) {
    long h = hash ^ seed;
    int age = age(h);
    if (age < 0 || (refreshAge > 0 && age >= refreshAge)) {
      for (int i = 0; i < k; i++) {
        words.setBit(position(h, i));
      }
      if (++inserted == generation) {
        shift();
      }
    }
    return age < 0;
  }

  /**
   * Returns the age of the youngest k slices in a row that have the bits of an element; -1 if there
   * are none.
   */
  private int age(long h) {
    int from = 0; // the start of the row that may match
    int matched = 0; // how many of its first slices are known to match
    while (from <= l) {
      int i = from + k - 1;
      while (i >= from + matched && words.getBit(position(h, i))) {
        i--;
      }
      if (i < from + matched) {
        return from;
      }
      matched = from + k - 1 - i;
      from = i + 1; // no row can contain slice i
    }
    return -1;
  }

  private void shift() {
    inserted = 0;
    youngest = youngest == 0 ? k + l - 1 : youngest - 1; // was the oldest
    long from = youngest * sliceBits;
    for (long bit = from; bit < from + sliceBits; bit++) {
      words.clearBit(bit);
    }
  }

  private long position(long h, int age) {
    int slice = youngest + age;
    slice = slice < k + l ? slice : slice - k - l;
    return slice * sliceBits + Mix.reduce(Mix.mix(h + slice * Mix.GOLDEN), sliceBits);
  }

  /** Returns the g of the paper. */
  long generation() {
    return generation;
  }

  @Override
  public long memoryBytes() {
    return words.length() * Long.BYTES;
  }

  /**
   * Returns the false positive rate on an endless stream of new keys. The slice of age i has been
   * filled for i + u generations, at most k, where u is the part of the present one: its load is 1
   * - 2^(-(i+u)/k). The chance of k in a row is computed slice by slice from the length of the row
   * so far, and averaged over u.
   */
  static double steadyFpr(int k, int l) {
    int steps = 20;
    double sum = 0;
    for (int step = 0; step < steps; step++) {
      double u = (step + 0.5) / steps;
      double[] row = new double[k];
      row[0] = 1;
      double found = 0;
      for (int i = 0; i < k + l; i++) {
        double load = 1 - Math.pow(2, -Math.min(k, i + u) / k);
        found += row[k - 1] * load;
        double broken = 0;
        for (int length = k - 1; length >= 0; length--) {
          broken += row[length] * (1 - load);
          row[length] = length == 0 ? 0 : row[length - 1] * load;
        }
        row[0] = broken;
      }
      sum += found;
    }
    return sum / steps;
  }
}
