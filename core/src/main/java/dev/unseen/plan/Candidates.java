package dev.unseen.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
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

  private Candidates() {}

  /** The kind's usual filter first. */
  static List<FilterSpec> of(FilterKind kind, long memoryBytes, long seed) {
    return switch (kind) {
      case SBF, BSBF, BSBFSD, RLBSBF -> withHashes(kind, memoryBytes, seed, FORGETTING);
      case RSBF, RSBF_MEASURED -> withHashes(kind, memoryBytes, seed, RESERVOIR);
      case BLOOM -> withHashes(kind, memoryBytes, seed, BLOOM);
    };
  }

  private static List<FilterSpec> withHashes(
      FilterKind kind, long memoryBytes, long seed, int... hashes) {
    int usual = kind.defaultHashes();
    return IntStream.concat(IntStream.of(usual), Arrays.stream(hashes).filter(k -> k != usual))
        .mapToObj(k -> FilterSpec.builder(kind, memoryBytes).hashes(k).seed(seed).build())
        .toList();
  }
}
