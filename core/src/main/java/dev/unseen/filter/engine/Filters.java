package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.recency.RecencyFilter;
import dev.unseen.filter.recency.WindowFilter;
import dev.unseen.state.Words;

/** Creates filters of all kinds. */
public final class Filters {
  private Filters() {}

  public static BatchingFilter create(FilterSpec spec) {
    return switch (spec.kind()) {
      case SBF -> new StableFilter(spec);
      case RSBF -> new ReservoirFilter(spec);
      case BSBF -> new BiasedFilter(spec);
      case BSBFSD -> new SingleDeletionFilter(spec);
      case RLBSBF -> new LoadBalancedFilter(spec);
      case BLOOM -> new BloomFilter(spec);
      case RECENCY -> spec.window().isNone() ? new RecencyFilter(spec) : new WindowFilter(spec);
      case SAMPLED -> new SampledFilter(spec);
    };
  }

  /**
   * Returns an empty filter with the spec, the memory and the guard of one that is not used any
   * more.
   */
  public static BatchingFilter emptied(BatchingFilter filter) {
    BatchingFilter empty = Words.allocatedLater(() -> create(filter.spec()));
    empty.takeOver(filter);
    return empty;
  }
}
