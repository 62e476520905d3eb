package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The filters of a kind that are worth a look in a given memory: the one place where a new kind
 * brings its own.
 */
final class Candidates {
  private static final int[] FORGETTING = {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16};
  private static final int[] RESERVOIR = {1, 2, 3, 4, 6, 8};
  private static final int[] BLOOM = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32};

  private static final int[] SAMPLED = {1, 2, 3, 4, 5, 6, 8};
  private static final int[] SHARES = {
    98, 95, 92, 90, 88, 85, 82, 80, 77, 75, 70, 65, 60, 55, 50, 40, 30, 20, 10, 5
  };

  private Candidates() {}

  /**
   * The kind's usual filter first.
   *
   * @param maxFpr what the user can bear to lose, or 1: of RECENCY, a part of the filter
   */
  static List<FilterSpec> of(
      FilterKind kind, long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    return switch (kind) {
      case SBF, BSBF, BSBFSD, RLBSBF, BSBF_BLOCKED, RLBSBF_BLOCKED ->
          withHashes(kind, memoryBytes, seed, FORGETTING);
      case RSBF, RSBF_MEASURED -> withHashes(kind, memoryBytes, seed, RESERVOIR);
      case BLOOM -> withHashes(kind, memoryBytes, seed, BLOOM);
      case RECENCY -> List.of(recency(memoryBytes, seed, stream, maxFpr));
      case SAMPLED -> sampled(memoryBytes, seed);
    };
  }

  /** Where repeats are known to be recent and no more, the least recently seen is to go. */
  private static FilterSpec recency(
      long memoryBytes, long seed, StreamModel stream, double maxFpr) {
    double rate =
        maxFpr == 1
            ? FilterSpec.DEFAULT_MAX_FPR
            : Math.max(FilterSpec.MIN_MAX_FPR, Math.min(FilterSpec.MAX_MAX_FPR, maxFpr));
    return FilterSpec.builder(FilterKind.RECENCY, memoryBytes)
        .seed(seed)
        .maxFpr(rate)
        .refresh(stream.recencyTellsAll() ? Refresh.ALWAYS : Refresh.ADAPTIVE)
        .build();
  }

  private static List<FilterSpec> sampled(long memoryBytes, long seed) {
    List<FilterSpec> specs = new ArrayList<>();
    specs.add(FilterSpec.builder(FilterKind.SAMPLED, memoryBytes).seed(seed).build());
    for (int k : SAMPLED) {
      for (int percent : SHARES) {
        specs.add(
            FilterSpec.builder(FilterKind.SAMPLED, memoryBytes)
                .seed(seed)
                .hashes(k)
                .share(percent / 100.0)
                .build());
      }
    }
    return specs;
  }

  private static List<FilterSpec> withHashes(
      FilterKind kind, long memoryBytes, long seed, int... hashes) {
    int usual = kind.defaultHashes();
    return IntStream.concat(IntStream.of(usual), Arrays.stream(hashes).filter(k -> k != usual))
        .mapToObj(k -> FilterSpec.builder(kind, memoryBytes).hashes(k).seed(seed).build())
        .toList();
  }
}
