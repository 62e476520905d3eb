package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.text.Require;

/**
 * Working sets that shift: for a while, records are uniform draws from one set of keys, then from
 * the next, which shares half of its keys with the one before.
 *
 * @param keySpace the number of keys in all sets
 */
public record ShiftingStream(long records, long keySpace, long sets, long seed)
    implements SyntheticStream {
  /** Checks the numbers. */
  public ShiftingStream {
    Limits.keys(keySpace, records, "the records");
    Require.that(
        sets >= 1 && sets < keySpace,
        "sets",
        sets,
        "at least 1 and below the keys (%d)".formatted(keySpace));
    seed = Mix.mix(seed);
  }

  @Override
  public long key(long i) {
    long set = (long) ((double) i / records * sets);
    long from = edge(set);
    return from + Mix.reduce(Mix.mix(seed + (i + 1) * Mix.GOLDEN), edge(set + 2) - from);
  }

  /**
   * Returns the first key of a set, which is also the end of the set before the last: halves of
   * sets lie next to each other.
   */
  private long edge(long half) {
    return (long) ((double) keySpace * half / (sets + 1));
  }
}
