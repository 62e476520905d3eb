package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;

/**
 * A stream of new keys with repeats of recent records: each record repeats, with a given chance,
 * the record at a random distance back; otherwise it has a new key. If that record is a repeat too,
 * it is followed back in turn, so any record can be computed alone. The key is the number of the
 * record that had it first.
 *
 * @param repeatShare the share of the records that repeat another one
 * @param distances the distances back to the repeated records
 */
public record RecencyStream(long records, double repeatShare, Distances distances, long seed)
    implements SyntheticStream {
  /** Checks the share. */
  public RecencyStream {
    Limits.share("repeat share", repeatShare);
    seed = Mix.mix(seed);
  }

  @Override
  public long keySpace() {
    return records;
  }

  @Override
  public long key(long i) {
    long at = i;
    while (true) {
      SplitMix64 random =
          new SplitMix64(seed + at * Mix.GOLDEN); // each record has its own random numbers
      boolean repeats = (random.next() >>> 11) * 0x1p-53 < repeatShare;
      long back = repeats ? distances.draw(random) : 0;
      if (back == 0 || back > at) { // a repeat of a record before the first is a new key
        return at;
      }
      at -= back;
    }
  }
}
