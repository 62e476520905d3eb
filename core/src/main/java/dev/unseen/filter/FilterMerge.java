package dev.unseen.filter;

import dev.unseen.bits.StateCopy;
import dev.unseen.filter.ShardedFilter.Shard;
import dev.unseen.filter.base.BatchingFilter;
import java.util.List;

/**
 * Joins two filters of equal specs into one that knows the keys of both.
 *
 * <p>BLOOM and SAMPLED become exactly what one filter would have become that had seen both streams.
 * The other filters over bits take each bit that is set in either, and SBF the larger of two cells:
 * nothing that either knew is forgotten, and false positives are as many as the fuller memory makes
 * them. RECENCY joins line by line, the latest first; what does not fit is forgotten, and its false
 * positives stay within their limit. An empty filter joined with another gives the other, to the
 * bit: so shards that were apart come together without any loss.
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
          "the filters differ (%s, and %s); only those of equal kind, memory, options, hash and seed can be joined"
              .formatted(into.spec().describe(), from.spec().describe()));
    }
    if (into instanceof ShardedFilter a && from instanceof ShardedFilter b) {
      mergeShards(a.shards(), b.shards());
    } else if (into instanceof BatchingFilter a && from instanceof BatchingFilter b) {
      merge(a, b);
    } else {
      throw new IllegalArgumentException(
          "one filter is in shards and the other is not; only two of a sort can be joined");
    }
  }

  private static void mergeShards(List<Shard> into, List<Shard> from) {
    for (int i = 0; i < into.size(); i++) {
      Shard a = into.get(i);
      Shard b = from.get(i);
      if (a.isEmpty()) {
        StateCopy.copy(b, a);
      } else if (!b.isEmpty()) {
        merge(a.filter, b.filter);
        a.count(b);
      }
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
