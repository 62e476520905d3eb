package dev.unseen.bench;

import dev.unseen.bits.Mix;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;

/**
 * The least work of a program that accesses memory record by record: each record is hashed, and
 * reads, changes and writes one word of one random cache line. It decides nothing. The processor
 * overlaps the waits for memory as far as it sees ahead, which is less than in {@link Limit}.
 */
final class PlainLoop implements SpeedContestant {
  private final long[] words;
  private final Hash64 hash = HashKind.XXH3.create(1);

  PlainLoop(Scenario scenario) {
    this.words = Limit.writtenWords(scenario.memoryBytes());
  }

  @Override
  public int addAll(KeyBlock keys, int from, int to) {
    long cacheLines = words.length / Limit.LINE_WORDS;
    for (int i = from; i < to; i++) {
      long hashed = keys.hash(hash, i);
      words[(int) Mix.reduce(hashed, cacheLines) * Limit.LINE_WORDS] ^= hashed;
    }
    return 0;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }
}
