package dev.unseen.lab.stream;

/**
 * A stream that goes round the same keys in the same order, again and again: a file that is read
 * several times.
 *
 * @param keySpace the number of keys
 */
public record LoopStream(long records, long keySpace) implements SyntheticStream {
  /** Checks the number of keys. */
  public LoopStream {
    Limits.keys(keySpace, records, "the records");
  }

  @Override
  public long key(long i) {
    return i % keySpace;
  }
}
