package dev.unseen.lab.stream;

/**
 * A stream that is computed, not stored. Each record has a key, which is a number below {@link
 * #keySpace}. Any record can be computed at any time, and equal parameters and seeds give equal
 * streams.
 */
public interface SyntheticStream {
  /** Returns the number of records. */
  long records();

  /** Returns a number that is larger than all keys. */
  long keySpace();

  /** Returns the key of record {@code i}, from 0 on. */
  long key(long i);

  /** Writes the keys of {@code count} records from {@code from} on into an array. */
  default void fill(long from, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(from + i);
    }
  }
}
