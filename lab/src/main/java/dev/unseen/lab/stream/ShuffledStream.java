package dev.unseen.lab.stream;

import dev.unseen.bits.Mix;
import dev.unseen.text.Require;

/**
 * The paper's data set: each of D keys occurs at least once, the other records are uniform over the
 * D keys, and the whole is shuffled. It needs constant memory for any length: the shuffle is a
 * {@link Permutation}, and the key of each further record is a hash of its number.
 */
public final class ShuffledStream implements SyntheticStream {
  private final long records;
  private final long distinct;
  private final Permutation shuffle;
  private final long keySeed;

  /** Creates a stream of this number of records and of distinct keys. */
  public ShuffledStream(long records, long distinct, long seed) {
    Require.that(
        distinct >= 1 && distinct <= records,
        "distinct",
        distinct,
        "1 to %d, the records".formatted(records));
    this.records = records;
    this.distinct = distinct;
    this.shuffle = new Permutation(records, seed);
    this.keySeed = Mix.mix(~seed);
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return distinct;
  }

  @Override
  public long key(long i) {
    long item = shuffle.at(i);
    return item < distinct ? item : Mix.reduce(Mix.mix(keySeed + item * Mix.GOLDEN), distinct);
  }
}
