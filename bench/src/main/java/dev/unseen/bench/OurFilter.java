package dev.unseen.bench;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;

/** One of our filters, one record at a time. The hash of the key is part of the work. */
class OurFilter implements SpeedContestant {
  final DuplicateFilter filter;
  final Hash64 hash = HashKind.XXH3.create(1);

  OurFilter(FilterKind kind, Scenario scenario) {
    this.filter = SteadyFilter.of(spec(kind, scenario.memoryBytes()), scenario);
  }

  static FilterSpec spec(FilterKind kind, long memoryBytes) {
    FilterSpec.Builder spec = FilterSpec.builder(kind, memoryBytes);
    if (kind == FilterKind.BLOOM) {
      spec.hashes(Peers.BLOOM_HASHES); // the same as the peers
    }
    return spec.build();
  }

  @Override
  public int addAll(KeyBlock keys, int from, int to) {
    int admitted = 0;
    for (int i = from; i < to; i++) {
      if (filter.admit(keys.hash(hash, i))) {
        admitted++;
      }
    }
    return admitted;
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public double load() {
    return filter.load();
  }

  /**
   * Returns the number of lines according to the algorithm: those that decide, and those that an
   * insertion resets at random places.
   */
  @Override
  public double lines(double admitted) {
    double k = filter.spec().hashes();
    return switch (filter.spec().kind()) {
      case RECENCY -> 2;
      case SBF, BSBFSD -> k + (filter.spec().kind() == FilterKind.SBF ? 1 : admitted);
      case BSBF -> k + admitted * k;
      case RLBSBF -> k + admitted * k * load();
      case SAMPLED -> k * filter.spec().get(Parameter.SHARE);
      default -> k; // the lines it reads, without random resets
    };
  }

  /** One of our filters, in batches. */
  static final class Batch extends OurFilter {
    private final long[] hashes = new long[BATCH];
    private final long[] fresh = new long[BATCH / Long.SIZE];

    Batch(FilterKind kind, Scenario scenario) {
      super(kind, scenario);
    }

    @Override
    public int addAll(KeyBlock keys, int from, int to) {
      for (int i = from; i < to; i++) {
        hashes[i - from] = keys.hash(hash, i);
      }
      return filter.admitAll(hashes, 0, to - from, fresh);
    }
  }
}
