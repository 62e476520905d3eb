package dev.unseen.lab.stream;

/**
 * A stream that goes round the same keys in the same order, again and again: a file that is read
 * several times.
 */
public final class LoopStream implements SyntheticStream {
  private final long records;
  private final long keys;

  /** Creates a stream of this number of records that goes round this number of keys. */
  public LoopStream(long records, long keys) {
    Limits.keys(keys, records, "the records");
    this.records = records;
    this.keys = keys;
  }

  @Override
  public long records() {
    return records;
  }

  @Override
  public long keySpace() {
    return keys;
  }

  @Override
  public long key(long i) {
    return i % keys;
  }
}
