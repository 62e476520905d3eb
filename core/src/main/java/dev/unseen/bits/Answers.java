package dev.unseen.bits;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the answers to a batch of hashes: one bit per hash, which is set if the hash is admitted.
 */
public final class Answers {
  private Answers() {}

  /** Clears the bits of a batch, and the rest of the last word. Returns the number of words. */
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

  public static int count(long[] answers, int words) {
    int set = 0;
    for (int i = 0; i < words; i++) {
      set += Long.bitCount(answers[i]);
    }
    return set;
  }

  /** Returns whether a bit is set; false if there are no answers. */
  public static boolean has(long @Nullable [] answers, int bit) {
    return answers != null && ((answers[bit >>> 6] >>> bit) & 1) != 0;
  }

  /** Returns the first bit of a batch that is set, or -1 if none is. */
  public static int first(long[] answers, int count) {
    for (int i = 0; i < count; i += Long.SIZE) {
      if (answers[i / Long.SIZE] != 0) {
        return i + Long.numberOfTrailingZeros(answers[i / Long.SIZE]);
      }
    }
    return -1;
  }

  /** Copies the first bits of one array to another, from a bit on; these must be clear. */
  public static void copy(long[] from, int count, long[] to, int at) {
    for (int i = 0; i < count; i++) {
      to[(at + i) >>> 6] |= ((from[i >>> 6] >>> i) & 1) << (at + i);
    }
  }
}
