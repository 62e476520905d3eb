package dev.unseen.bench;

import dev.unseen.hash.Mix;
import dev.unseen.hash.Xxh3;

/**
 * What the memory can give: each record is hashed, and reads, changes and writes one word in each
 * of so many random cache lines. As our batches do, it touches the lines of a block of records
 * first, so that the waits for memory overlap; nothing is decided.
 */
final class Limit implements Contestant {
  /** Lines in a block, as in our batches. */
  private static final int BLOCK = 128;

  private static final int LINE_WORDS = 8;

  private final long[] words;
  private final int lines;
  private final Xxh3 hash = new Xxh3(1);
  private final long[] hashes = new long[BLOCK];
  private final int[] at = new int[BLOCK];

  @SuppressWarnings("unused") // written so that the reads are not optimised away
  private long touched;

  Limit(int lines, Scenario scenario) {
    this.lines = lines;
    this.words = new long[Math.toIntExact(scenario.memoryBytes() / Long.BYTES)];
    for (int i = 0; i < words.length; i++) {
      words[i] = i; // pages that were never written are all the same one
    }
  }

  @Override
  public boolean add(long key) {
    throw new UnsupportedOperationException("the limit is measured in batches");
  }

  @Override
  public int addAll(long[] keys, int from, int to) {
    int block = BLOCK / lines;
    long sum = 0;
    for (int i = from; i < to; i += block) {
      int end = Math.min(i + block, to);
      sum += lines == 1 ? oneLine(keys, i, end) : manyLines(keys, i, end);
    }
    touched = sum;
    return 0;
  }

  private long oneLine(long[] keys, int from, int to) {
    int count = to - from;
    long cacheLines = words.length / LINE_WORDS;
    for (int i = 0; i < count; i++) {
      hashes[i] = hash.hash(keys[from + i]);
      at[i] = (int) Mix.reduce(hashes[i], cacheLines) * LINE_WORDS;
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += words[at[i]];
    }
    for (int i = 0; i < count; i++) {
      words[at[i]] ^= hashes[i];
    }
    return sum;
  }

  private long manyLines(long[] keys, int from, int to) {
    long cacheLines = words.length / LINE_WORDS;
    int next = 0;
    for (int i = from; i < to; i++) {
      long hashed = hash.hash(keys[i]);
      for (int line = 0; line < lines; line++) {
        hashes[next] = Mix.mix(hashed + line * Mix.GOLDEN);
        at[next] = (int) Mix.reduce(hashes[next], cacheLines) * LINE_WORDS;
        next++;
      }
    }
    long sum = 0;
    for (int i = 0; i < next; i++) {
      sum += words[at[i]];
    }
    for (int i = 0; i < next; i++) {
      words[at[i]] ^= hashes[i];
    }
    return sum;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public double load() {
    return Double.NaN;
  }

  @Override
  public double lines(double admitted) {
    return lines;
  }
}
