package dev.unseen.filter;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.StateCopy;
import java.util.List;

/**
 * Joins two filters of equal specs into one that knows the keys of both.
 *
 * <p>BLOOM and SAMPLED become exactly what one filter would have become that had seen both streams.
 * The other filters over bits take each bit that is set in either, and SBF the larger of two cells:
 * nothing that either knew is forgotten, and false positives are as many as the fuller memory makes
 * them. RECENCY joins line by line, the latest first; what does not fit is forgotten, and its false
 * positives stay within their limit. An empty filter joined with another gives the other, to the
 * bit: so shards that were apart come together without any loss. Of two filters that hold only some
 * shards, the first one then holds those of both.
 */
public final class FilterMerge {
  private FilterMerge() {}

  /**
   * Joins the second into the first, and leaves the second as it is.
   *
   * @throws IllegalArgumentException if the specs differ, or if one has shards and the other has
   *     not
   */
  public static void mergeInto(DuplicateFilter into, DuplicateFilter from) {
    if (!into.spec().equals(from.spec())) {
      throw new IllegalArgumentException(
          "the filters differ in %s; only those of equal kind, memory, options, hash and secret or seed can be joined"
              .formatted(String.join("; ", into.spec().differencesTo(from.spec()))));
    }
    if (into instanceof ShardedFilter a && from instanceof ShardedFilter b) {
      b.shards().forEach(shard -> mergeShard(a, shard));
    } else if (into instanceof BatchingFilter a && from instanceof BatchingFilter b) {
      merge(a, b);
    } else {
      throw new IllegalArgumentException(
          "one filter is in shards and the other is not; only two of a sort can be joined");
    }
  }

  /** Returns a filter of its own with the same state. */
  public static DuplicateFilter copy(DuplicateFilter filter) {
    if (filter instanceof ShardedFilter sharded) {
      ShardedFilter copy = ShardedFilter.of(sharded.spec(), List.of());
      for (Shard shard : sharded.shards()) {
        StateCopy.copy(shard, copy.add(shard.index()));
      }
      return copy;
    }
    DuplicateFilter copy = filter.spec().build();
    StateCopy.copy((BatchingFilter) filter, (BatchingFilter) copy);
    return copy;
  }

  private static void mergeShard(ShardedFilter filter, Shard from) {
    Shard into = filter.holds(from.index()) ? filter.shard(from.index()) : filter.add(from.index());
    if (into.records() == 0) {
      StateCopy.copy(from, into);
    } else if (from.records() > 0) {
      merge(into.filter(), from.filter());
      into.count(from);
    }
  }

  private static void merge(BatchingFilter into, BatchingFilter from) {
    if (into.load() == 0) {
      StateCopy.copy(from, into);
    } else if (from.load() > 0) {
      into.merge(from);
    }
  }
}
