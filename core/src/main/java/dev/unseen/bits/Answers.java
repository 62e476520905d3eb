package dev.unseen.bits;

import java.util.Arrays;

/** The answers to a batch of hashes: a bit for each, set if the hash is admitted. */
public final class Answers {
  private Answers() {}

  /**
   * Clears the bits of a batch, and those after them in the last word.
   *
   * @return how many words the batch has
   * @throws IllegalArgumentException if there are fewer
   */
  public static int clear(long[] fresh, int count) {
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      throw new IllegalArgumentException(
          "fresh (%d words) must have a bit for each of %d hashes: %d words"
              .formatted(fresh.length, count, words));
    }
    Arrays.fill(fresh, 0, words, 0);
    return words;
  }

  /** Copies the first bits of one array to those of another from one on, which have to be clear. */
  public static void copy(long[] from, int count, long[] to, int at) {
    for (int i = 0; i < count; i++) {
      to[(at + i) >>> 6] |= ((from[i >>> 6] >>> i) & 1) << (at + i);
    }
  }
}
