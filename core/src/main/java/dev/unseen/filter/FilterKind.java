package dev.unseen.filter;

import dev.unseen.filter.recency.Recency;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kinds of filter. The constant is what the literature calls it; the {@linkplain #id id} is
 * what the command line, reports and people call it; the {@linkplain #wireId wire id} is what files
 * call it, and never changes.
 */
public enum FilterKind {
  /** Stable Bloom filter, Deng and Rafiei 2006. */
  SBF(1, 2, 16, StableFilter::new),

  /** Reservoir sampling based Bloom filter, as Bera et al. 2012 print it. */
  RSBF(2, 3, 16, ReservoirFilter::new),

  /** The same, as their published figures were measured. */
  RSBF_MEASURED(3, 3, 16, MeasuredReservoirFilter::new),

  /** Biased sampling based Bloom filter, Bera et al. 2012. */
  BSBF(4, 2, 16, BiasedFilter::new),

  /** Biased sampling based Bloom filter with single deletion, Bera et al. 2012. */
  BSBFSD(5, 2, 16, SingleDeletionFilter::new),

  /** Randomized load balanced biased sampling based Bloom filter, Bera et al. 2012. */
  RLBSBF(6, 2, 16, LoadBalancedFilter::new),

  /**
   * Plain Bloom filter, Bloom 1970: never forgets. Its default k suits 10 bits per distinct key.
   */
  BLOOM(7, 7, 32, BloomFilter::new),

  /** Ours: fingerprints in cache lines, the least useful pushed out; with or without a window. */
  RECENCY(8, 1, 1, Recency::filter),

  /** Ours: a plain Bloom filter for a share of the keys, for streams far beyond the memory. */
  SAMPLED(9, 7, 32, SampledFilter::new),

  /** BSBF with all of a record's bits in one cache line. */
  BSBF_BLOCKED(10, 2, 16, BlockedFilter::new),

  /** RLBSBF with all of a record's bits in one cache line. */
  RLBSBF_BLOCKED(11, 2, 16, BlockedFilter::new);

  private final int wireId;
  private final int defaultHashes;
  private final int maxHashes;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor reference, which has no state
  private final Function<FilterSpec, DuplicateFilter> factory;

  FilterKind(
      int wireId, int defaultHashes, int maxHashes, Function<FilterSpec, DuplicateFilter> factory) {
    this.wireId = wireId;
    this.defaultHashes = defaultHashes;
    this.maxHashes = maxHashes;
    this.factory = factory;
  }

  /** The name in lower case, for people: {@code rlbsbf}, {@code rsbf-measured}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The number that stands for this kind in files. */
  public int wireId() {
    return wireId;
  }

  /** The k of a spec that does not name one. */
  public int defaultHashes() {
    return defaultHashes;
  }

  /** The largest k. */
  public int maxHashes() {
    return maxHashes;
  }

  /**
   * The kind with this id, in any case.
   *
   * @throws IllegalArgumentException with the known ids, if there is none
   */
  public static FilterKind of(String id) {
    String wanted = id.toLowerCase(Locale.ROOT).replace('_', '-');
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind '%s' is unknown; known: %s".formatted(id, knownIds())));
  }

  /**
   * The kind with this wire id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FilterKind ofWireId(int wireId) {
    return Arrays.stream(values())
        .filter(kind -> kind.wireId == wireId)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("kind number %d is unknown".formatted(wireId)));
  }

  private static String knownIds() {
    return Arrays.stream(values()).map(FilterKind::id).collect(Collectors.joining(", "));
  }

  DuplicateFilter create(FilterSpec spec) {
    return factory.apply(spec);
  }
}
