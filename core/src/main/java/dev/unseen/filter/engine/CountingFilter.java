package dev.unseen.filter.engine;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A filter that counts its records and that only one thread changes at a time: for one thread, or
 * in shards.
 */
public sealed interface CountingFilter permits SingleFilter, ShardedFilter {
  /** Returns a filter that continues with these counts, unless it is in shards. */
  static CountingFilter of(DuplicateFilter filter, long records, long admitted) {
    return filter instanceof ShardedFilter sharded
        ? sharded
        : new SingleFilter((BatchingFilter) filter, records, admitted);
  }

  DuplicateFilter filter();

  /** Returns the filter itself, after a check that no other thread is changing it. */
  DuplicateFilter readable();

  boolean admit(long hash, long millis);

  int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late);

  /** Counts and remembers a hash if it is a duplicate, and returns whether it is one. */
  boolean admitDuplicate(long hash, long millis);

  /**
   * Counts a hash that another filter knows as a duplicate, and remembers it, too, if it is copied.
   */
  void admitKnown(long hash, long millis, boolean copied);

  void advanceTo(long millis);

  void setBack(long millis);

  /** Sets whether records that cannot be checked because of their time are rejected. */
  void dropLate(boolean drop);

  /** Returns the number of records processed so far. Any thread may call this. */
  long records();

  /** Returns the number of records admitted so far. Any thread may call this. */
  long admitted();

  /** Does something at one moment, at which no other thread changes the filter. */
  <T> T alone(Supplier<T> work);

  /** Forgets all keys, counts and times, and does something else at that moment. */
  void clear(Runnable also);

  /** Merges the counts of another filter, and its keys or a copy of them, into this one. */
  void merge(CountingFilter other, DuplicateFilter keys);
}
