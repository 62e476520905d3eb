package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;

/**
 * A day of a log: new keys, keys that come in one burst, and keys that are popular all day. New
 * keys arrive until there is the wanted number of them; half of the other records are popular keys,
 * by Zipf's law, and half repeat one of the last few hundred records.
 */
public final class DayStream implements SyntheticStream {
  private static final double POPULAR_KEYS = 0.05; // share of all keys
  private static final double EXPONENT = 0.9;
  private static final double HALF_LIFE = 300; // of bursts, in records

  private final long records;
  private final long seed;
  private final double newShare;
  private final double popularShare;
  private final ZipfStream popular;
  private final Distances bursts = Distances.halfLife(HALF_LIFE);

  /** Creates a stream of this number of records and about this number of keys. */
  public DayStream(long records, long keys, long seed) {
    Limits.keys(keys, records, "the records of a day");
    long popularKeys = Math.max(1, (long) (POPULAR_KEYS * keys));
    this.records = records;
    this.seed = Mix.mix(seed);
    this.newShare = (double) (keys - popularKeys) / records;
    this.popularShare = (1 - newShare) / 2;
    this.popular = new ZipfStream(records, popularKeys, EXPONENT, ~seed);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return popular.keySpace() + records;
  }

  @Override
  public long key(long i) {
    long at = i;
    while (true) {
      SplitMix64 random =
          new SplitMix64(seed + at * Mix.GOLDEN); // each record has its own random numbers
      double draw = (random.next() >>> 11) * 0x1p-53;
      if (draw < popularShare) {
        return popular.key(at);
      }
      long back = draw < popularShare + newShare ? 0 : bursts.draw(random);
      if (back == 0 || back > at) { // a repeat of a record before the first is a new key
        return popular.keySpace() + at;
      }
      at -= back;
    }
  }
}
