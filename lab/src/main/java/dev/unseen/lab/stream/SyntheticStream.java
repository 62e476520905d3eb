package dev.unseen.lab.stream;

/**
 * A stream that is computed, not stored: record i has a key, a number below {@link #keySpace}. Any
 * record can be asked for at any time, and equal parameters and seeds give equal streams.
 */
public interface SyntheticStream {
  /** How many records it has. */
  long records();

  /** All keys are below this. */
  long keySpace();

  /** The key of record {@code i}, from 0 on. */
  long key(long i);

  /** The keys of {@code count} records from {@code from} on. */
  default void fill(long from, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(from + i);
    }
  }
}
