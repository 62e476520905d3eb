package dev.unseen.filter;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.StateCopy;
import java.util.List;

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
   * Merges the second filter into the first, and leaves the second unchanged.
   *
   * @throws IllegalArgumentException if the specs differ, or if only one of the filters has shards
   */
  public static void mergeInto(DuplicateFilter into, DuplicateFilter from) {
    if (!into.spec().equals(from.spec())) {
      throw new IllegalArgumentException(
          "the filters differ in %s; filters can be merged only if their kind, memory, options, hash, and secret or seed are equal"
              .formatted(String.join("; ", into.spec().differencesTo(from.spec()))));
    }
    if (into instanceof ShardedFilter a && from instanceof ShardedFilter b) {
      b.shards().forEach(shard -> mergeShard(a, shard));
    } else if (into instanceof BatchingFilter a && from instanceof BatchingFilter b) {
      merge(a, b);
    } else {
      throw new IllegalArgumentException(
          "one filter is in shards and the other is not; merge two filters in shards, or two without");
    }
  }

  /** Returns an independent filter with the same state. */
  public static DuplicateFilter copy(DuplicateFilter filter) {
    return copy(filter, null);
  }

  /**
   * Returns an independent filter with the same state.
   *
   * @param spare an earlier copy of the same filter, whose memory is then used again; null: none
   */
  public static DuplicateFilter copy(DuplicateFilter filter, DuplicateFilter spare) {
    if (filter instanceof ShardedFilter sharded) {
      ShardedFilter copy =
          spare == null ? ShardedFilter.of(sharded.spec(), List.of()) : (ShardedFilter) spare;
      for (Shard shard : sharded.shards()) {
        int index = shard.index();
        StateCopy.copy(shard, copy.holds(index) ? copy.shard(index) : copy.add(index));
      }
      return copy;
    }
    DuplicateFilter copy = spare == null ? filter.spec().build() : spare;
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
