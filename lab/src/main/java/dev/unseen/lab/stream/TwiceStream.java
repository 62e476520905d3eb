package dev.unseen.lab.stream;

import dev.unseen.text.Require;

/**
 * A stream in which each key comes twice, at a given distance: new keys alternate with repeats of
 * keys that came that many records ago. At the start there are no repeats to alternate with, so the
 * first keys repeat sooner, from half the distance on; the last records are repeats only.
 */
public final class TwiceStream implements SyntheticStream {
  private final long keys;
  private final long lead; // keys before the first repeat

  /**
   * Creates a stream of this number of records, of which half repeat the record at this distance.
   */
  public TwiceStream(long records, long distance) {
    this.keys = records / 2;
    this.lead = (distance + 1) / 2;
    Require.that(
        distance >= 1 && lead <= keys,
        "distance",
        distance,
        "1 to %d, the records".formatted(records));
  }

  @Override
  public long records() {
    return 2 * keys;
  }

  @Override
  public long keySpace() {
    return keys;
  }

  @Override
  public long key(long i) {
    if (i < lead) {
      return i;
    }
    long turn = (i - lead) / 2;
    if (turn >= keys - lead) { // no key is left that is new
      return i - keys;
    }
    return (i - lead) % 2 == 0 ? turn : lead + turn;
  }
}
