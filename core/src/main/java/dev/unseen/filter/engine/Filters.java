package dev.unseen.filter.engine;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.recency.RecencyFilter;
import dev.unseen.filter.recency.WindowFilter;
import java.util.function.Function;

/** Creates empty filters of all kinds. {@link FilterSpec#build} finds it by its name. */
public final class Filters implements Function<FilterSpec, DuplicateFilter> {
  @Override
  public DuplicateFilter apply(FilterSpec spec) {
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
}
