package dev.unseen.lab.stream;

import java.util.function.LongUnaryOperator;

/**
 * A stream that is computed, not stored: any record can be computed at any time.
 *
 * @param records the number of records
 * @param keySpace a number that is larger than all keys
 * @param keys computes the key of a record from its number, from 0 on
 */
public record SyntheticStream(long records, long keySpace, LongUnaryOperator keys) {
  /** Returns the key of record {@code i}, from 0 on. */
  public long key(long i) {
    return keys.applyAsLong(i);
  }
}
