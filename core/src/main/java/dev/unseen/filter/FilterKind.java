package dev.unseen.filter;

import dev.unseen.bits.Cells;
import dev.unseen.bits.Lanes;
import dev.unseen.error.OptionException;
import dev.unseen.text.Parse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The kinds of filter. The name of the constant is the one in the literature. The {@linkplain #id
 * id} is the name on the command line and in reports. The {@linkplain #wireId wire id} is the
 * number in files, and never changes.
 *
 * <p>A kind is declared in one place: its wire id, its default and its largest k, how its memory is
 * divided, what a merge does to it, and its own {@linkplain Parameter parameters}.
 */
public enum FilterKind {
  /** Stable Bloom filter, Deng and Rafiei 2006. */
  SBF(
      1,
      2,
      16,
      FilterKind::cells,
      MergeEffect.FILLS,
      Parameter.HASHES,
      Parameter.DECREMENTS,
      Parameter.CELL_BITS),

  /** Reservoir sampling based Bloom filter, as specified by Bera et al. 2012. */
  RSBF(2, 3, 16, FilterKind::banks, MergeEffect.FILLS, Parameter.HASHES, Parameter.THRESHOLD),

  /** Biased sampling based Bloom filter, Bera et al. 2012. */
  BSBF(4, 2, 16, FilterKind::banks, MergeEffect.FILLS, Parameter.HASHES),

  /** Biased sampling based Bloom filter with single deletion, Bera et al. 2012. */
  BSBFSD(5, 2, 16, FilterKind::banks, MergeEffect.FILLS, Parameter.HASHES),

  /** Randomized load balanced biased sampling based Bloom filter, Bera et al. 2012. */
  RLBSBF(6, 2, 16, FilterKind::banks, MergeEffect.FILLS, Parameter.HASHES),

  /** Plain Bloom filter, Bloom 1970, which never forgets. Its k suits 10 bits per distinct key. */
  BLOOM(7, 7, 32, FilterKind::banks, MergeEffect.EXACT, Parameter.HASHES, Parameter.PARTITIONED),

  /** Our own filter: fingerprints in cache lines, of which the least useful are replaced. */
  RECENCY(
      8,
      1,
      1,
      FilterKind::lines,
      MergeEffect.FORGETS,
      Parameter.MAX_FPR,
      Parameter.WINDOW,
      Parameter.REFRESH),

  /**
   * Our own filter for streams far larger than the memory: a Bloom filter for a share of the keys.
   */
  SAMPLED(9, 7, 32, FilterKind::banks, MergeEffect.EXACT, Parameter.SHARE, Parameter.HASHES);

  /** What happens to two filters of a kind when they are merged. */
  public enum MergeEffect {
    /** The result is exactly the filter that would have seen the records of both. */
    EXACT,
    /** The latest keys of both are kept. If there is not enough room, the oldest are forgotten. */
    FORGETS,
    /** Nothing is forgotten, so the memory becomes fuller, and new records are lost more often. */
    FILLS
  }

  private final int wireId;
  private final int defaultHashes;
  private final int maxHashes;
  private final MergeEffect mergeEffect;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference, which has no state
  private final ToLongFunction<FilterSpec> storage;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of constants
  private final List<Parameter<?>> parameters;

  FilterKind(
      int wireId,
      int defaultHashes,
      int maxHashes,
      ToLongFunction<FilterSpec> storage,
      MergeEffect mergeEffect,
      Parameter<?>... parameters) {
    this.wireId = wireId;
    this.defaultHashes = defaultHashes;
    this.maxHashes = maxHashes;
    this.storage = storage;
    this.mergeEffect = mergeEffect;
    this.parameters = List.of(parameters);
  }

  /** Returns the name in lower case, such as {@code rlbsbf}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the number that stands for this kind in files. */
  public int wireId() {
    return wireId;
  }

  /** Returns the default k. */
  public int defaultHashes() {
    return defaultHashes;
  }

  /** Returns the largest k. */
  public int maxHashes() {
    return maxHashes;
  }

  /** Returns the parameters of this kind, in the order in which they are shown. */
  public List<Parameter<?>> parameters() {
    return parameters;
  }

  /** Returns what happens to two filters of this kind when they are merged. */
  public MergeEffect mergeEffect() {
    return mergeEffect;
  }

  /**
   * Returns the kind with this id, in upper or lower case.
   *
   * @throws OptionException if there is none; the message lists the known ids
   */
  public static FilterKind of(String id) {
    return Parse.choice("kind", id, FilterKind.class);
  }

  /**
   * Returns the kind with this wire id.
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

  long storageBytes(FilterSpec spec) {
    return storage.applyAsLong(spec);
  }

  private static long cells(FilterSpec spec) {
    int bits = spec.get(Parameter.CELL_BITS);
    return Cells.countIn(spec.words(), bits) / Long.SIZE * bits * Long.BYTES;
  }

  private static long lines(FilterSpec spec) {
    return spec.words() / Lanes.WORDS * Lanes.WORDS * Long.BYTES;
  }

  private static long banks(FilterSpec spec) {
    int banks = spec.get(Parameter.PARTITIONED) ? spec.hashes() : 1;
    return (spec.bits() / banks * banks + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }
}
