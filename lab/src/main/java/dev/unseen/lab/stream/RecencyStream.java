package dev.unseen.lab.stream;

import dev.unseen.bits.SplitMix64;
import dev.unseen.hash.Mix;

/**
 * An endless supply of new keys, with repeats of recent records: each record repeats, with a given
 * chance, the one a drawn distance back; else it brings a new key. What that one repeats is found
 * by going back in turn, so any record can be computed alone. The key is the number of the record
 * that brought it.
 */
public final class RecencyStream implements SyntheticStream {
  private final long records;
  private final double repeatShare;
  private final Distances distances;
  private final long seed;

  /** So many records, of which this share repeats one at such a distance. */
  public RecencyStream(long records, double repeatShare, Distances distances, long seed) {
    if (!(repeatShare >= 0 && repeatShare < 1)) {
      throw new IllegalArgumentException(
          "repeat share (%s) must be at least 0 and below 1".formatted(repeatShare));
    }
    this.records = records;
    this.repeatShare = repeatShare;
    this.distances = distances;
    this.seed = Mix.mix(seed);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return records;
  }

  @Override
  public long key(long i) {
    long at = i;
    while (true) {
      SplitMix64 random = new SplitMix64(seed + at * Mix.GOLDEN); // each record has its own numbers
      boolean repeats = (random.next() >>> 11) * 0x1p-53 < repeatShare;
      long back = repeats ? distances.draw(random) : 0;
      if (back == 0 || back > at) { // what would lie before the first record is new
        return at;
      }
      at -= back;
    }
  }
}
