package dev.unseen.bench;

import dev.unseen.bits.Mix;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.util.Arrays;

/**
 * Measures the speed that the memory allows: each record is hashed, and reads, changes and writes
 * one word in each of a number of random cache lines. As our batches do, it touches the lines of a
 * block of records first, so that the waits for memory overlap. It decides nothing.
 */
final class Limit implements SpeedContestant {
  /** The number of lines in a block, as in our batches. */
  private static final int BLOCK = 128;

  static final int LINE_WORDS = 8;

  private final long[] words;
  private final int lines;
  private final Hash64 hash = HashKind.XXH3.create(1);
  private final long[] hashes = new long[BLOCK];
  private final int[] at = new int[BLOCK];

  @SuppressWarnings("unused") // written so that the reads are not optimized away
  private long touched;

  Limit(int lines, Scenario scenario) {
    this.lines = lines;
    this.words = writtenWords(scenario.memoryBytes());
  }

  /**
   * Returns an array in which each word was written, because all pages that were never written are
   * the same one.
   */
  static long[] writtenWords(long bytes) {
    long[] words = new long[Math.toIntExact(bytes / Long.BYTES)];
    Arrays.setAll(words, i -> i);
    return words;
  }

  @Override
  public int addAll(KeyBlock keys, int from, int to) {
    int block = BLOCK / lines;
    for (int i = from; i < to; i += block) {
      int count = Math.min(block, to - i);
      for (int j = 0; j < count; j++) {
        hashes[j] = keys.hash(hash, i + j);
      }
      change(count);
    }
    return 0;
  }

  /** Touches the lines of the hashes, then changes them. */
  private void change(int count) {
    int places = lines == 1 ? locateOne(count) : locateMany(count);
    long sum = 0;
    for (int i = 0; i < places; i++) {
      sum += words[at[i]];
    }
    touched = sum;
    for (int i = 0; i < places; i++) {
      words[at[i]] ^= sum;
    }
  }

  private int locateOne(int count) {
    long cacheLines = words.length / LINE_WORDS;
    for (int i = 0; i < count; i++) {
      at[i] = (int) Mix.reduce(hashes[i], cacheLines) * LINE_WORDS;
    }
    return count;
  }

  private int locateMany(int count) {
    long cacheLines = words.length / LINE_WORDS;
    int next = 0;
    for (int i = 0; i < count; i++) {
      for (int line = 0; line < lines; line++) {
        long mixed = Mix.mix(hashes[i] + line * Mix.GOLDEN);
        at[next++] = (int) Mix.reduce(mixed, cacheLines) * LINE_WORDS;
      }
    }
    return next;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public double lines(double admitted) {
    return lines;
  }
}
