package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.text.Require;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;

/** The synthetic streams. Equal parameters and seeds give equal streams. */
public final class Streams {
  private Streams() {}

  /**
   * Returns a stream that goes round the same keys in the same order, again and again: a file that
   * is read several times.
   */
  public static SyntheticStream loop(long records, long keys) {
    requireKeys(keys, records, "the records");
    return new SyntheticStream(records, keys, i -> i % keys);
  }

  /** Returns another stream several times, one after the other: a log that is ingested again. */
  public static SyntheticStream repeated(SyntheticStream once, int times) {
    Require.that(times >= 1, "times", times, "at least 1");
    return new SyntheticStream(
        times * once.records(), once.keySpace(), i -> once.key(i % once.records()));
  }

  /** Returns uniform draws from a universe of keys, which the paper's theory assumes. */
  public static SyntheticStream uniform(long records, long universe, long seed) {
    Require.that(universe >= 1, "universe", universe, "at least 1");
    long mixed = Mix.mix(seed);
    return new SyntheticStream(records, universe, i -> below(universe, mixed, i + 1));
  }

  /** Returns the uniform draws whose expected number of distinct keys is {@code distinct}. */
  public static SyntheticStream uniformWithDistinct(long records, long distinct, long seed) {
    Require.that(
        distinct >= 1 && distinct < records,
        "distinct",
        distinct,
        "1 to %d, below the records".formatted(records - 1));
    // U (1 - e^(-N/U)) grows with U from 0 to N.
    double low = distinct;
    double high = (double) records * records;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (-middle * Math.expm1(-records / middle) < distinct) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return uniform(records, Math.round(high), seed);
  }

  /**
   * Returns the paper's data set: each of D keys occurs at least once, the other records are
   * uniform over the D keys, and the whole is shuffled. It needs constant memory for any length.
   */
  public static SyntheticStream shuffled(long records, long distinct, long seed) {
    Require.that(
        distinct >= 1 && distinct <= records,
        "distinct",
        distinct,
        "1 to %d, the records".formatted(records));
    Permutation shuffle = new Permutation(records, seed);
    long mixed = Mix.mix(~seed);
    return new SyntheticStream(
        records,
        distinct,
        i -> {
          long item = shuffle.at(i);
          return item < distinct ? item : below(distinct, mixed, item);
        });
  }

  /** Returns draws by Zipf's law. Key 0 is the most frequent. */
  public static SyntheticStream zipf(long records, long universe, double exponent, long seed) {
    return new SyntheticStream(records, universe, new Zipf(universe, exponent, seed));
  }

  /**
   * Returns new keys with repeats of recent records: each record repeats, with a given chance, the
   * record at a random distance back; otherwise it has a new key. If that record is a repeat too,
   * it is followed back in turn. The key is the number of the record that had it first.
   *
   * @param repeatShare the share of the records that repeat another one
   * @param distances the distances back to the repeated records
   */
  public static SyntheticStream recency(
      long records, double repeatShare, ToLongFunction<SplitMix64> distances, long seed) {
    requireShare("repeat share", repeatShare);
    long mixed = Mix.mix(seed);
    LongUnaryOperator back =
        at -> {
          SplitMix64 random = randomOf(mixed, at);
          return unit(random) < repeatShare ? distances.applyAsLong(random) : 0;
        };
    return new SyntheticStream(records, records, i -> firstOf(i, back));
  }

  /** Follows repeats back. A repeat of a record before the first is a new key. */
  private static long firstOf(long record, LongUnaryOperator distance) {
    long at = record;
    long back = distance.applyAsLong(at);
    while (back != 0 && back <= at) {
      at -= back;
      back = distance.applyAsLong(at);
    }
    return at;
  }

  /** Draws distances that are uniform over the last {@code window} records. */
  public static ToLongFunction<SplitMix64> within(long window) {
    Require.that(window >= 1, "window", window, "at least 1");
    return random -> 1 + random.below(window);
  }

  /** Draws geometric distances: half of them are at most {@code halfLife}. */
  public static ToLongFunction<SplitMix64> halfLife(double halfLife) {
    Require.that(halfLife > 0, "half-life", halfLife, "above 0");
    double scale = halfLife / Math.log(2);
    return random -> 1 + (long) (-scale * Math.log(unit(random) + 0x1p-53));
  }

  /**
   * Returns a day of a log of about this number of keys: new ones, ones that come in one burst, and
   * ones that are popular all day. Half of the records that are not new are popular keys, a
   * twentieth of all, by Zipf's law, and half repeat one of the last few hundred records.
   */
  public static SyntheticStream day(long records, long keys, long seed) {
    requireKeys(keys, records, "the records of a day");
    long popularKeys = Math.max(1, (long) (0.05 * keys));
    double newShare = (double) (keys - popularKeys) / records;
    double popularShare = (1 - newShare) / 2;
    long mixed = Mix.mix(seed);
    Zipf popular = new Zipf(popularKeys, 0.9, ~seed);
    ToLongFunction<SplitMix64> bursts = halfLife(300);
    LongUnaryOperator back =
        at -> {
          SplitMix64 random = randomOf(mixed, at);
          return unit(random) < popularShare + newShare ? 0 : bursts.applyAsLong(random);
        };
    return new SyntheticStream(
        records,
        popularKeys + records,
        i -> {
          long first = firstOf(i, back);
          boolean isPopular = unit(randomOf(mixed, first)) < popularShare;
          return isPopular ? popular.applyAsLong(first) : popularKeys + first;
        });
  }

  /**
   * Returns working sets that shift: for a while, records are uniform draws from one set of keys,
   * then from the next, which shares half of its keys with the one before.
   *
   * @param keys the number of keys in all sets
   */
  public static SyntheticStream shifting(long records, long keys, long sets, long seed) {
    requireKeys(keys, records, "the records");
    Require.that(
        sets >= 1 && sets < keys,
        "sets",
        sets,
        "at least 1 and below the keys (%d)".formatted(keys));
    long mixed = Mix.mix(seed);
    // The first key of a set, which is also the end of the set before the last.
    LongUnaryOperator edge = set -> (long) ((double) keys * set / (sets + 1));
    return new SyntheticStream(
        records,
        keys,
        i -> {
          long set = (long) ((double) i / records * sets);
          long from = edge.applyAsLong(set);
          return from + below(edge.applyAsLong(set + 2) - from, mixed, i + 1);
        });
  }

  /**
   * Returns a stream in which each key comes twice, at a given distance: new keys alternate with
   * repeats of keys that came that many records ago. At the start there are no repeats to alternate
   * with, so the first keys repeat sooner, from half the distance on; the last records are repeats
   * only.
   */
  public static SyntheticStream twice(long records, long distance) {
    long keys = records / 2;
    long lead = (distance + 1) / 2; // keys before the first repeat
    Require.that(
        distance >= 1 && lead <= keys,
        "distance",
        distance,
        "1 to %d, the records".formatted(records));
    return new SyntheticStream(
        2 * keys,
        keys,
        i -> {
          long turn = (i - lead) / 2;
          if (i < lead) {
            return i;
          } else if (turn >= keys - lead) { // no key is left that is new
            return i - keys;
          }
          return (i - lead) % 2 == 0 ? turn : lead + turn;
        });
  }

  /**
   * Returns all records of another stream with noise: keys that come only once, which make up this
   * share of all records. Record i is noise if the integer part of {@code share * i} grows at it.
   */
  public static SyntheticStream noisy(SyntheticStream base, double share) {
    requireShare("noise", share);
    long records = (long) (base.records() / (1 - share));
    while (withoutNoise(share, records) > base.records()) {
      records--;
    }
    while (withoutNoise(share, records) < base.records()) {
      records++;
    }
    return new SyntheticStream(
        records,
        base.keySpace() + (long) (share * records),
        i -> {
          long noise = (long) (share * i);
          return (long) (share * (i + 1)) > noise ? base.keySpace() + noise : base.key(i - noise);
        });
  }

  /** Returns the number of records without noise in a stream with this share of noise. */
  static long withoutNoise(double share, long records) {
    requireShare("noise", share);
    return records - (long) (share * records);
  }

  private static long below(long n, long seed, long number) {
    return Mix.reduce(Mix.mix(seed + number * Mix.GOLDEN), n);
  }

  /** Returns the random numbers of one record. */
  static SplitMix64 randomOf(long seed, long record) {
    return new SplitMix64(seed + record * Mix.GOLDEN);
  }

  /** Returns a uniform number from 0 to below 1. */
  static double unit(SplitMix64 random) {
    return (random.next() >>> 11) * 0x1p-53;
  }

  private static void requireKeys(long keys, long most, String whatIsMost) {
    Require.that(
        keys >= 1 && keys <= most, "keys", keys, "1 to %d, %s".formatted(most, whatIsMost));
  }

  private static void requireShare(String name, double share) {
    Require.that(share >= 0 && share < 1, name, share, "at least 0 and below 1");
  }
}
