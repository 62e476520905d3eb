package dev.unseen.filter;

import dev.unseen.bits.Cells;
import dev.unseen.bits.Lanes;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.text.Print;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * All that makes a filter what it is: two filters of equal specs, given equal hashes, give equal
 * answers. A spec validates itself; {@link #build} makes the filter.
 *
 * <p>Fields that a kind has no use for hold their neutral value, so that specs of equal filters are
 * equal.
 *
 * @param kind which algorithm
 * @param memoryBytes the bytes the filter's storage may take: a hard cap
 * @param hashes the paper's k: positions per key
 * @param seed of the key hash and of the filter's random choices
 * @param cellBits of SBF: the bits of a cell, 1 to 4; else 1
 * @param decrements of SBF: the cells decremented per record, its P; else 0
 * @param threshold of RSBF as printed: its p*, below which phase 3 begins; else 0
 * @param partitioned of BLOOM: whether each hash has its own M/k bits; else true
 * @param resetReach the share of the positions that random resets reach. 1, but for reproducing
 *     published figures whose random numbers had 31 bits where 32 were needed: there 0.5
 * @param maxFpr of RECENCY: the largest share of new keys that may be taken for seen; else 1
 * @param window of RECENCY: how long a key counts as seen; else none
 * @param refresh of RECENCY: what a duplicate does to its key; else adaptive
 * @param share of SAMPLED: the share of the keys that are stored; else 1
 * @param hash how keys become the hashes that the filter is given
 */
public record FilterSpec(
    FilterKind kind,
    long memoryBytes,
    int hashes,
    long seed,
    int cellBits,
    int decrements,
    double threshold,
    boolean partitioned,
    double resetReach,
    double maxFpr,
    Window window,
    Refresh refresh,
    double share,
    HashKind hash) {

  /** The largest false positive rate of RECENCY unless another is asked for: 1 in 10,000. */
  public static final double DEFAULT_MAX_FPR = 1e-4;

  /** The least that can be asked for. */
  public static final double MIN_MAX_FPR = 1e-9;

  /** The most that can be asked for. */
  public static final double MAX_MAX_FPR = 1e-2;

  /** The least memory a filter can have. */
  public static final long MIN_MEMORY_BYTES = 64;

  /** The most: 16 TiB. The heap is likely to say no before. */
  public static final long MAX_MEMORY_BYTES = 1L << 44;

  private static final double DEFAULT_FALSE_POSITIVE_TARGET = 0.1;
  private static final double DEFAULT_THRESHOLD = 0.03;
  private static final double DEFAULT_SHARE = 0.5;

  /** Refuses what cannot be built, naming the value and the limit. */
  public FilterSpec {
    Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
    requireMemory(memoryBytes);
    requireHashes(kind, hashes);
    if (kind == FilterKind.SBF) {
      require(cellBits >= 1 && cellBits <= 4, "cellBits", cellBits, "1 to 4");
      long cells = memoryBytes / Long.BYTES / cellBits * 64;
      require(decrements >= 1 && decrements <= cells, "decrements", decrements, "1 to " + cells);
    } else {
      require(cellBits == 1, "cellBits", cellBits, "1 for any kind but sbf");
      require(decrements == 0, "decrements", decrements, "0 for any kind but sbf");
    }
    if (kind == FilterKind.RSBF) {
      requireRate("threshold", threshold);
    } else {
      require(threshold == 0, "threshold", threshold, "0 for any kind but rsbf");
    }
    require(
        partitioned || kind == FilterKind.BLOOM,
        "partitioned",
        partitioned,
        "true for any kind but bloom");
    require(resetReach > 0 && resetReach <= 1, "resetReach", resetReach, "above 0 and at most 1");
    Objects.requireNonNull(window, "window is null; Window.NONE is none");
    Objects.requireNonNull(refresh, "refresh is null; name one of Refresh");
    if (kind == FilterKind.RECENCY) {
      require(
          maxFpr >= MIN_MAX_FPR && maxFpr <= MAX_MAX_FPR,
          "maxFpr",
          maxFpr,
          MIN_MAX_FPR + " to " + MAX_MAX_FPR);
    } else {
      require(
          maxFpr == 1, "maxFpr", maxFpr, "1 for any kind but recency, which alone can keep one");
      require(window.isNone(), "window", window, "none for any kind but recency");
      require(refresh == Refresh.ADAPTIVE, "refresh", refresh, "adaptive for any kind but recency");
    }
    require(share > 0 && share <= 1, "share", share, "above 0 and at most 1");
    require(share == 1 || kind == FilterKind.SAMPLED, "share", share, "1 for any kind but sampled");
    Objects.requireNonNull(hash, "hash is null; name one of HashKind");
  }

  /** The spec of this kind with its usual numbers. */
  public static FilterSpec of(FilterKind kind, long memoryBytes) {
    return builder(kind, memoryBytes).build();
  }

  /** Starts from the usual numbers of this kind. */
  public static Builder builder(FilterKind kind, long memoryBytes) {
    return new Builder(kind, memoryBytes);
  }

  /** Makes an empty filter. */
  public DuplicateFilter build() {
    return kind.create(this);
  }

  /** The bytes that the filter's storage will take: the memory, rounded down to what it can use. */
  public long storageBytes() {
    return switch (kind) {
      case SBF -> Cells.countIn(words(), cellBits) / Long.SIZE * cellBits * Long.BYTES;
      case RECENCY, BSBF_BLOCKED, RLBSBF_BLOCKED -> lines() * Lanes.WORDS * Long.BYTES;
      default -> (bits() / banks() * banks() + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    };
  }

  private int banks() {
    return partitioned ? hashes : 1;
  }

  /** The hash of keys, with this spec's seed. */
  public Hash64 keyHash() {
    return hash.create(seed);
  }

  /** The same with another hash of keys. */
  public FilterSpec withHash(HashKind other) {
    return copy(memoryBytes, seed, other);
  }

  /** The same in another memory and with another seed: of a part of a filter. */
  FilterSpec part(long bytes, long partSeed) {
    return copy(bytes, partSeed, hash);
  }

  private FilterSpec copy(long bytes, long otherSeed, HashKind otherHash) {
    return new FilterSpec(
        kind,
        bytes,
        hashes,
        otherSeed,
        cellBits,
        decrements,
        threshold,
        partitioned,
        resetReach,
        maxFpr,
        window,
        refresh,
        share,
        otherHash);
  }

  /** Of RECENCY: how many lines of 512 bits there are. */
  public long lines() {
    return words() / Lanes.WORDS;
  }

  /** Of RECENCY: the shapes that a line goes through as it fills, the first one first. */
  public List<LineShape> lineShapes() {
    LineForm form = LineForm.of(this);
    return Arrays.stream(form.shapes())
        .map(
            lanes ->
                new LineShape(
                    lanes.count(), lanes.width(), form.fingerprints().chance(lanes.width())))
        .toList();
  }

  /** The whole 64-bit words that the memory holds. */
  long words() {
    return memoryBytes / Long.BYTES;
  }

  /** The bits of those words: the paper's M. */
  long bits() {
    return words() * Long.SIZE;
  }

  /** How many of so many positions random resets reach; at least one. */
  long reachOf(long positions) {
    return resetReach == 1 ? positions : Math.max(1, (long) (positions * resetReach));
  }

  /** In words: {@code rlbsbf k=2, 64 MiB}. */
  public String describe() {
    return kind.id() + describeDetails() + ", " + Print.bytes(memoryBytes);
  }

  private String describeDetails() {
    return switch (kind) {
      case RECENCY -> " 1:%,d".formatted(Math.round(1 / maxFpr)) + describeWindow();
      case SAMPLED -> " %s k=%d".formatted(Print.percent(share), hashes);
      default -> " k=" + hashes;
    };
  }

  private String describeWindow() {
    return window.isNone() ? "" : ", " + window;
  }

  private static void requireMemory(long bytes) {
    if (bytes < MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory (%,d bytes) must be at least %d bytes",
              bytes,
              MIN_MEMORY_BYTES));
    }
    if (bytes > MAX_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory (%,d bytes) must be at most %,d bytes, 16 TiB",
              bytes,
              MAX_MEMORY_BYTES));
    }
  }

  private static void requireHashes(FilterKind kind, int hashes) {
    if (hashes < 1 || hashes > kind.maxHashes()) {
      throw new IllegalArgumentException(
          "hashes (%d) must be 1 to %d for %s".formatted(hashes, kind.maxHashes(), kind.id()));
    }
  }

  private static void requireRate(String name, double value) {
    require(value > 0 && value < 1, name, value, "above 0 and below 1");
  }

  private static void require(boolean holds, String name, Object value, String limit) {
    if (!holds) {
      throw new IllegalArgumentException("%s (%s) must be %s".formatted(name, value, limit));
    }
  }

  /** Builds a spec; what is not set takes the usual number of the kind. */
  public static final class Builder {
    private final FilterKind kind;
    private final long memoryBytes;
    private int hashes;
    private long seed;
    private int cellBits = 1;
    private int decrements;
    private double falsePositiveTarget = DEFAULT_FALSE_POSITIVE_TARGET;
    private double threshold;
    private boolean partitioned = true;
    private double resetReach = 1;
    private double maxFpr;
    private Window window = Window.NONE;
    private Refresh refresh = Refresh.ADAPTIVE;
    private double share;
    private HashKind hash = HashKind.XXH3;

    private Builder(FilterKind kind, long memoryBytes) {
      this.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
      requireMemory(memoryBytes);
      this.memoryBytes = memoryBytes;
      this.hashes = kind.defaultHashes();
      this.threshold = kind == FilterKind.RSBF ? DEFAULT_THRESHOLD : 0;
      this.maxFpr = kind == FilterKind.RECENCY ? DEFAULT_MAX_FPR : 1;
      this.share = kind == FilterKind.SAMPLED ? DEFAULT_SHARE : 1;
    }

    /** The positions per key, k. */
    public Builder hashes(int k) {
      requireHashes(kind, k);
      this.hashes = k;
      return this;
    }

    /** The seed of the key hash and of the filter's random choices; 0 unless set. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * The false positive rate to aim for: chooses the P of SBF, or the k of RSBF by the paper's
     * rule. 0.1 unless set, as in the paper.
     */
    public Builder falsePositiveTarget(double rate) {
      require(
          kind == FilterKind.SBF || isReservoir(),
          "falsePositiveTarget",
          rate,
          "left unset for " + kind.id() + "; it chooses the P of sbf and the k of rsbf");
      requireRate("falsePositiveTarget", rate);
      this.falsePositiveTarget = rate;
      if (isReservoir()) {
        this.hashes = Sizing.reservoirHashes(rate, kind.maxHashes());
      }
      return this;
    }

    /**
     * The distinct keys to come: chooses the k of BLOOM that has the fewest false positives then.
     */
    public Builder expectedKeys(long keys) {
      require(
          kind == FilterKind.BLOOM,
          "expectedKeys",
          keys,
          "left unset for " + kind.id() + "; it chooses the k of bloom");
      require(keys >= 1, "expectedKeys", keys, "at least 1");
      this.hashes =
          Sizing.bloomHashes(memoryBytes / Long.BYTES * Long.SIZE, keys, kind.maxHashes());
      return this;
    }

    /** The bits of a cell of SBF, 1 to 4. */
    public Builder cellBits(int bits) {
      this.cellBits = bits;
      return this;
    }

    /** The P of SBF itself, instead of a false positive target. */
    public Builder decrements(int cells) {
      require(cells >= 1, "decrements", cells, "at least 1");
      this.decrements = cells;
      return this;
    }

    /** The p* of RSBF as printed. */
    public Builder threshold(double probability) {
      this.threshold = probability;
      return this;
    }

    /** Whether each hash of BLOOM has its own share of the bits. */
    public Builder partitioned(boolean partitioned) {
      this.partitioned = partitioned;
      return this;
    }

    /** The share of the positions that random resets reach. */
    public Builder resetReach(double share) {
      this.resetReach = share;
      return this;
    }

    /** The largest share of new keys that RECENCY may take for seen; 1e-4 unless set. */
    public Builder maxFpr(double rate) {
      this.maxFpr = rate;
      return this;
    }

    /** How long a key counts as seen by RECENCY; for as long as memory holds it unless set. */
    public Builder window(Window window) {
      this.window = window;
      return this;
    }

    /** What a duplicate does to its key in RECENCY; adaptive unless set. */
    public Builder refresh(Refresh refresh) {
      this.refresh = refresh;
      return this;
    }

    /** The share of the keys that SAMPLED stores; half unless set. */
    public Builder share(double share) {
      this.share = share;
      return this;
    }

    /** How keys are hashed; {@link HashKind#XXH3} unless set. */
    public Builder hash(HashKind hash) {
      this.hash = hash;
      return this;
    }

    /** The spec. */
    public FilterSpec build() {
      int p = decrements;
      if (kind == FilterKind.SBF && p == 0) {
        require(cellBits >= 1 && cellBits <= 4, "cellBits", cellBits, "1 to 4");
        long cells = memoryBytes / Long.BYTES / cellBits * 64;
        p = Sizing.stableDecrements(falsePositiveTarget, hashes, cellBits, cells);
      }
      return new FilterSpec(
          kind,
          memoryBytes,
          hashes,
          seed,
          cellBits,
          p,
          threshold,
          partitioned,
          resetReach,
          maxFpr,
          window,
          refresh,
          share,
          hash);
    }

    private boolean isReservoir() {
      return kind == FilterKind.RSBF || kind == FilterKind.RSBF_MEASURED;
    }
  }
}
