package dev.unseen.filter.engine;

import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.state.StateCopy;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges two filters of equal specs into one that knows the keys of both.
 *
 * <p>BLOOM and SAMPLED become exactly the filter that would have seen both streams. The other
 * filters over bits set each bit that is set in either, and SBF takes the larger of two cells:
 * nothing that either filter knew is forgotten, and the fuller memory makes more false positives.
 * RECENCY merges line by line, the latest keys first; keys that do not fit are forgotten, and the
 * false positives stay within their limit. Merging an empty filter with another gives the other, to
 * the bit, so shards that were apart are reunited without any loss. If both filters hold only some
 * shards, the first one then holds the shards of both.
 */
public final class FilterMerge {
  private FilterMerge() {}

  /**
   * Merges the second filter into the first. Others may use filters in shards meanwhile: these are
   * merged shard by shard.
   */
  public static void mergeInto(DuplicateFilter into, DuplicateFilter from) {
    requireAlike(into, from);
    if (into instanceof ShardedFilter a && from instanceof ShardedFilter b) {
      b.shards().forEach(shard -> a.shardOrNew(shard.index()).merge(shard));
    } else {
      merge((BatchingFilter) into, (BatchingFilter) from);
    }
  }

  /**
   * Requires that two filters are not the same, and have equal specs, and both have shards or none.
   */
  @SuppressWarnings("ReferenceEquality") // the same object, not an equal one
  public static void requireAlike(DuplicateFilter into, DuplicateFilter from) {
    if (into == from) {
      throw new IllegalArgumentException(
          "a filter cannot be merged with itself; name two filters, or merge a copy");
    }
    if (!into.spec().equals(from.spec())) {
      throw new IllegalArgumentException(
          "the filters differ in %s; filters can be merged only if their kind, memory, options, hash, and secret or seed are equal"
              .formatted(
                  into.spec().differencesTo(from.spec()).stream()
                      .map(Difference::toString)
                      .collect(Collectors.joining("; "))));
    }
    if (into instanceof ShardedFilter != from instanceof ShardedFilter) {
      throw new IllegalArgumentException(
          "one filter is in shards and the other is not; merge two filters in shards, or two"
              + " without");
    }
  }

  /**
   * Returns an independent filter with the same state, in the memory of a spare copy if it is
   * given.
   */
  public static DuplicateFilter copy(DuplicateFilter filter, @Nullable DuplicateFilter spare) {
    if (filter instanceof ShardedFilter sharded) {
      ShardedFilter copy =
          spare == null ? ShardedFilter.of(sharded.spec(), List.of()) : (ShardedFilter) spare;
      for (LockedShard shard : sharded.shards()) {
        StateCopy.copy(shard, copy.shardOrNew(shard.index()));
      }
      return copy;
    }
    DuplicateFilter copy = spare == null ? Filters.create(filter.spec()) : spare;
    StateCopy.copy((BatchingFilter) filter, (BatchingFilter) copy);
    return copy;
  }

  static void merge(BatchingFilter into, BatchingFilter from) {
    if (into.load() == 0) {
      StateCopy.copy(from, into);
    } else if (from.load() > 0) {
      into.merge(from);
    }
  }
}
