package dev.unseen.filter;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.recency.Recency;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All that makes a filter what it is: two filters of equal specs, given equal hashes, give equal
 * answers. A spec is a kind, its memory, a seed, a hash of keys, and the {@linkplain Parameter
 * parameters} of the kind. It checks itself; {@link #build} makes the filter.
 *
 * <p>A spec is exact, so that experiments can be repeated: its seed is 0 unless set. Keys that
 * strangers can choose need a {@link Secret}, which deduplicators and gates draw by themselves.
 *
 * <p>A parameter that the kind does not have is at its {@linkplain Parameter#neutral neutral}
 * value, so that specs of equal filters are equal.
 */
public final class FilterSpec {
  /** The largest false positive rate of RECENCY unless another is asked for: 1 in 10,000. */
  public static final double DEFAULT_MAX_FPR = 1e-4;

  /** The smallest false positive rate that can be asked for. */
  public static final double MIN_MAX_FPR = 1e-9;

  /** The largest false positive rate that can be asked for. */
  public static final double MAX_MAX_FPR = 1e-2;

  /** The least memory a filter can have. */
  public static final long MIN_MEMORY_BYTES = 64;

  /** The most memory a filter can have: 16 TiB. The heap is likely to say no before. */
  public static final long MAX_MEMORY_BYTES = 1L << 44;

  /** The bytes that {@link #write} writes. */
  public static final int WIRE_BYTES = 92;

  private static final int WIRE_HASH = 0;
  private static final int WIRE_KIND = 4;
  private static final int WIRE_MEMORY = 12;
  private static final int WIRE_SEED = 20;

  private static final double DEFAULT_FALSE_POSITIVE_TARGET = 0.1;

  private final FilterKind kind;
  private final long memoryBytes;
  private final long seed;
  private final HashKind hash;
  private final Secret secret; // null: there is none, and keys are hashed with the seed
  private final Object[] values; // of all parameters by their index, neutral ones too
  private final int hashes; // one of the values, asked for at each record

  /** Refuses what cannot be built, naming the value and the limit. */
  private FilterSpec(
      FilterKind kind, long memoryBytes, long seed, HashKind hash, Secret secret, Object[] values) {
    this.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
    requireMemory(memoryBytes);
    this.memoryBytes = memoryBytes;
    this.seed = seed;
    this.hash = Objects.requireNonNull(hash, "hash is null; name one of HashKind");
    this.secret = secret;
    this.values = values;
    this.hashes = get(Parameter.HASHES);
    Parameter.all().forEach(parameter -> parameter.require(this));
  }

  /** Returns the spec of this kind with its usual parameters. */
  public static FilterSpec of(FilterKind kind, long memoryBytes) {
    return builder(kind, memoryBytes).build();
  }

  /** Starts from the usual parameters of this kind. */
  public static Builder builder(FilterKind kind, long memoryBytes) {
    return new Builder(kind, memoryBytes);
  }

  /**
   * Returns the memory in which a filter holds this number of keys at one time: RECENCY forgets at
   * most one in 10,000 of them too early, and BLOOM has at most this false positive rate.
   *
   * @param window of RECENCY, which costs some of the room
   * @throws IllegalArgumentException if the kind forgets at random, so that no memory is enough
   */
  public static long memoryFor(FilterKind kind, long keys, double maxFpr, Window window) {
    require(keys >= 1, "keys", keys, "at least 1");
    if (kind == FilterKind.BLOOM) {
      return Sizing.bloomBytes(keys, maxFpr, kind.maxHashes());
    }
    if (kind == FilterKind.RECENCY) {
      FilterSpec one = builder(kind, MIN_MEMORY_BYTES).maxFpr(maxFpr).window(window).build();
      List<LineShape> shapes = one.lineShapes();
      return Sizing.lineBytes(keys, shapes.get(shapes.size() - 1).lanes());
    }
    throw new IllegalArgumentException(
        "memory must be set for %s, which no number of keys can tell; recency and bloom can do without"
            .formatted(kind.id()));
  }

  /** Returns the seed to use if the user has named this one or, being null, none. */
  public static long seedFor(HashKind hash, Long named) {
    return named != null ? named : hash.isKeyed() ? new SecureRandom().nextLong() : 0;
  }

  /** Makes an empty filter. */
  public DuplicateFilter build() {
    return kind.create(this);
  }

  /** Returns the kind. */
  public FilterKind kind() {
    return kind;
  }

  /** Returns the bytes that the filter's storage may take: a hard cap. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Returns the seed of the key hash and of the filter's random choices. */
  public long seed() {
    return seed;
  }

  /** Returns how keys become the hashes that the filter is given. */
  public HashKind hash() {
    return hash;
  }

  /** Returns the value of a parameter: the neutral one if the kind does not have it. */
  @SuppressWarnings("unchecked") // the builder and the reader put values of the parameter's type
  public <T> T get(Parameter<T> parameter) {
    return (T) values[parameter.index()];
  }

  /** Returns {@link Parameter#HASHES}. */
  public int hashes() {
    return hashes;
  }

  /** Returns {@link Parameter#CELL_BITS}. */
  public int cellBits() {
    return get(Parameter.CELL_BITS);
  }

  /** Returns {@link Parameter#DECREMENTS}. */
  public int decrements() {
    return get(Parameter.DECREMENTS);
  }

  /** Returns {@link Parameter#THRESHOLD}. */
  public double threshold() {
    return get(Parameter.THRESHOLD);
  }

  /** Returns {@link Parameter#PARTITIONED}. */
  public boolean partitioned() {
    return get(Parameter.PARTITIONED);
  }

  /** Returns {@link Parameter#RESET_REACH}. */
  public double resetReach() {
    return get(Parameter.RESET_REACH);
  }

  /** Returns {@link Parameter#MAX_FPR}. */
  public double maxFpr() {
    return get(Parameter.MAX_FPR);
  }

  /** Returns {@link Parameter#WINDOW}. */
  public Window window() {
    return get(Parameter.WINDOW);
  }

  /** Returns {@link Parameter#REFRESH}. */
  public Refresh refresh() {
    return get(Parameter.REFRESH);
  }

  /** Returns {@link Parameter#SHARE}. */
  public double share() {
    return get(Parameter.SHARE);
  }

  /** Returns the bytes of the filter's storage: the memory, rounded down to what it can use. */
  public long storageBytes() {
    return kind.storageBytes(this);
  }

  /** Returns the secret that keys are hashed with; none if they are hashed with the seed. */
  public Optional<Secret> secret() {
    return Optional.ofNullable(secret);
  }

  /** Returns the hash of keys, with this spec's secret, or its seed if it has none. */
  public Hash64 keyHash() {
    return secret == null ? hash.create(seed) : hash.create(secret);
  }

  /** Returns this spec with another hash of keys and another seed, without a secret. */
  public FilterSpec withHash(HashKind otherHash, long otherSeed) {
    return new FilterSpec(kind, memoryBytes, otherSeed, otherHash, null, values);
  }

  /** Returns this spec with a secret; its seed follows from that. */
  public FilterSpec withSecret(Secret key) {
    return new FilterSpec(kind, memoryBytes, key.seed(), hash, key, values);
  }

  /** Returns this spec in another memory and with another seed: that of a part of a filter. */
  FilterSpec part(long bytes, long partSeed) {
    return new FilterSpec(kind, bytes, partSeed, hash, secret, values);
  }

  /** Returns, for RECENCY, how many lines of 512 bits there are. */
  public long lines() {
    return words() / Lanes.WORDS;
  }

  /** Returns, for RECENCY, the shapes that a line goes through as it fills, the first one first. */
  public List<LineShape> lineShapes() {
    return Recency.shapes(this);
  }

  /** Returns, for RECENCY, how many keys a line holds that keeps what it has. */
  public int keptLanes() {
    return Recency.keptLanes(this);
  }

  /** Returns the whole 64-bit words that the memory holds. */
  long words() {
    return memoryBytes / Long.BYTES;
  }

  /** Returns the bits of those words: the paper's M. */
  long bits() {
    return words() * Long.SIZE;
  }

  /** Returns how many of these positions random resets reach; at least one. */
  long reachOf(long positions) {
    double reach = resetReach();
    return reach == 1 ? positions : Math.max(1, (long) (positions * reach));
  }

  /** Describes it in words, without the seed: {@code rlbsbf k=2, 64 MiB}. */
  public String describe() {
    String parameters =
        kind.parameters().stream()
            .map(parameter -> parameter.describe(this))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return kind.id() + " " + parameters + ", " + Print.bytes(memoryBytes);
  }

  /**
   * Tells what differs between this spec and another, each with both values: {@code hashes: 2 and
   * 4}. Seeds are not told, since that of a keyed hash is a secret.
   */
  public List<String> differencesTo(FilterSpec other) {
    List<String> differences = new ArrayList<>();
    if (kind != other.kind) {
      differences.add("kind: %s and %s".formatted(kind.id(), other.kind.id()));
    }
    if (memoryBytes != other.memoryBytes) {
      differences.add(
          String.format(Locale.ROOT, "memory: %,d and %,d bytes", memoryBytes, other.memoryBytes));
    }
    if (hash != other.hash) {
      differences.add("hash: %s and %s".formatted(hash.id(), other.hash.id()));
    }
    if (!Objects.equals(secret, other.secret)) {
      differences.add("secret: %s and %s".formatted(secretInWords(), other.secretInWords()));
    } else if (seed != other.seed) {
      boolean hidden = hash.isKeyed() || other.hash.isKeyed();
      differences.add(hidden ? "seed" : "seed: %d and %d".formatted(seed, other.seed));
    }
    if (kind == other.kind) {
      Parameter.all().forEach(parameter -> addDifference(parameter, other, differences));
    }
    return differences;
  }

  private String secretInWords() {
    return secret == null ? "none" : secret.fingerprint();
  }

  private <T> void addDifference(
      Parameter<T> parameter, FilterSpec other, List<String> differences) {
    T here = get(parameter);
    T there = other.get(parameter);
    if (!here.equals(there)) {
      differences.add(
          "%s: %s and %s".formatted(parameter.name(), parameter.text(here), parameter.text(there)));
    }
  }

  /** Writes it as {@link #WIRE_BYTES} bytes, which {@code docs/snapshot-format.md} draws. */
  public void write(ByteBuffer to) {
    int at = to.position();
    to.position(at + WIRE_BYTES);
    to.putInt(at + WIRE_HASH, hash.wireId());
    to.putInt(at + WIRE_KIND, kind.wireId());
    to.putLong(at + WIRE_MEMORY, memoryBytes);
    to.putLong(at + WIRE_SEED, seed);
    Parameter.all().forEach(parameter -> parameter.write(this, to, at));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is not a spec that could have been written
   */
  public static FilterSpec read(ByteBuffer from) {
    int at = from.position();
    from.position(at + WIRE_BYTES);
    HashKind hash = HashKind.ofWireId(from.getInt(at + WIRE_HASH));
    FilterKind kind = FilterKind.ofWireId(from.getInt(at + WIRE_KIND));
    Object[] values = new Object[Parameter.all().size()];
    Parameter.all().forEach(parameter -> values[parameter.index()] = parameter.read(from, at));
    return new FilterSpec(
        kind, from.getLong(at + WIRE_MEMORY), from.getLong(at + WIRE_SEED), hash, null, values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterSpec spec
        && kind == spec.kind
        && memoryBytes == spec.memoryBytes
        && seed == spec.seed
        && hash == spec.hash
        && Objects.equals(secret, spec.secret)
        && Arrays.equals(values, spec.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, memoryBytes, seed, hash, secret, Arrays.hashCode(values));
  }

  /** Describes it, with the seed unless that is a secret. */
  @Override
  public String toString() {
    return "FilterSpec[%s, %s]".formatted(describe(), describeHash());
  }

  /**
   * Describes the hash of keys in words: {@code xxh3, secret 3fa95c01}, of which the digits are a
   * fingerprint, or {@code xxh3, seed 5}. A seed that is a secret is not shown.
   */
  public String describeHash() {
    String key =
        secret != null ? secret.toString() : hash.isKeyed() ? "with a secret seed" : "seed " + seed;
    return hash.id() + ", " + key;
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

  private static void require(boolean holds, String name, Object value, String limit) {
    if (!holds) {
      throw new IllegalArgumentException("%s (%s) must be %s".formatted(name, value, limit));
    }
  }

  /** Builds a spec; what is not set takes the usual value of the kind. */
  public static final class Builder {
    private final FilterKind kind;
    private final long memoryBytes;
    private final Map<Parameter<?>, Object> set = new HashMap<>();
    private Long seed; // null: not set
    private HashKind hash = HashKind.XXH3;
    private double falsePositiveTarget = DEFAULT_FALSE_POSITIVE_TARGET;

    private Builder(FilterKind kind, long memoryBytes) {
      this.kind = Objects.requireNonNull(kind, "kind is null; name one of FilterKind");
      requireMemory(memoryBytes);
      this.memoryBytes = memoryBytes;
    }

    /** Sets a parameter. */
    public <T> Builder set(Parameter<T> parameter, T value) {
      set.put(
          parameter,
          Objects.requireNonNull(
              value, () -> parameter.name() + " is null; leave it unset for the usual value"));
      return this;
    }

    /** Sets {@link Parameter#HASHES}, and refuses it at once if the kind cannot have it. */
    public Builder hashes(int k) {
      if (k < 1 || k > kind.maxHashes()) {
        throw new IllegalArgumentException(
            "hashes (%d) must be 1 to %d for %s".formatted(k, kind.maxHashes(), kind.id()));
      }
      return set(Parameter.HASHES, k);
    }

    /**
     * Sets the seed of the key hash and of the filter's random choices. Unless it is set it is 0,
     * and for a keyed hash a random number.
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets the false positive rate to aim for, which chooses the P of SBF, or the k of RSBF by the
     * paper's rule. It is 0.1 unless set, as in the paper.
     */
    public Builder falsePositiveTarget(double rate) {
      require(
          kind == FilterKind.SBF || isReservoir(),
          "falsePositiveTarget",
          rate,
          "left unset for " + kind.id() + "; it chooses the P of sbf and the k of rsbf");
      require(rate > 0 && rate < 1, "falsePositiveTarget", rate, "above 0 and below 1");
      this.falsePositiveTarget = rate;
      return isReservoir() ? hashes(Sizing.reservoirHashes(rate, kind.maxHashes())) : this;
    }

    /**
     * Sets the distinct keys to come, from which BLOOM takes the k that has the fewest false
     * positives when they are all there.
     */
    public Builder expectedKeys(long keys) {
      require(
          kind == FilterKind.BLOOM,
          "expectedKeys",
          keys,
          "left unset for " + kind.id() + "; it chooses the k of bloom");
      require(keys >= 1, "expectedKeys", keys, "at least 1");
      return hashes(
          Sizing.bloomHashes(memoryBytes / Long.BYTES * Long.SIZE, keys, kind.maxHashes()));
    }

    /** Sets {@link Parameter#CELL_BITS}. */
    public Builder cellBits(int bits) {
      return set(Parameter.CELL_BITS, bits);
    }

    /** Sets {@link Parameter#DECREMENTS} itself, instead of a false positive target. */
    public Builder decrements(int cells) {
      require(cells >= 1, "decrements", cells, "at least 1");
      return set(Parameter.DECREMENTS, cells);
    }

    /** Sets {@link Parameter#THRESHOLD}. */
    public Builder threshold(double probability) {
      return set(Parameter.THRESHOLD, probability);
    }

    /** Sets {@link Parameter#PARTITIONED}. */
    public Builder partitioned(boolean partitioned) {
      return set(Parameter.PARTITIONED, partitioned);
    }

    /** Sets {@link Parameter#RESET_REACH}. */
    public Builder resetReach(double share) {
      return set(Parameter.RESET_REACH, share);
    }

    /** Sets {@link Parameter#MAX_FPR}; 1e-4 unless set. */
    public Builder maxFpr(double rate) {
      return set(Parameter.MAX_FPR, rate);
    }

    /** Sets {@link Parameter#WINDOW}; as long as memory holds a key unless set. */
    public Builder window(Window window) {
      return set(Parameter.WINDOW, window);
    }

    /** Sets {@link Parameter#REFRESH}; adaptive unless set. */
    public Builder refresh(Refresh refresh) {
      return set(Parameter.REFRESH, refresh);
    }

    /** Sets {@link Parameter#SHARE}; half unless set. */
    public Builder share(double share) {
      return set(Parameter.SHARE, share);
    }

    /** Sets how keys are hashed; {@link HashKind#XXH3} unless set. */
    public Builder hash(HashKind hash) {
      this.hash = hash;
      return this;
    }

    /** Makes the spec. */
    public FilterSpec build() {
      Object[] values = new Object[Parameter.all().size()];
      for (Parameter<?> parameter : Parameter.all()) {
        values[parameter.index()] = set.getOrDefault(parameter, parameter.usual(kind));
      }
      if (kind == FilterKind.SBF && !set.containsKey(Parameter.DECREMENTS)) {
        values[Parameter.DECREMENTS.index()] = decrementsFor(values);
      }
      Objects.requireNonNull(hash, "hash is null; name one of HashKind");
      if (seed == null && hash.isKeyed()) {
        seed = seedFor(hash, null); // kept, so that a second spec is equal
      }
      return new FilterSpec(kind, memoryBytes, seedFor(hash, seed), hash, null, values);
    }

    private int decrementsFor(Object[] values) {
      int hashes = (Integer) values[Parameter.HASHES.index()];
      int cellBits = (Integer) values[Parameter.CELL_BITS.index()];
      require(cellBits >= 1 && cellBits <= 4, "cellBits", cellBits, "1 to 4");
      long cells = Parameter.cells(memoryBytes / Long.BYTES, cellBits);
      return Sizing.stableDecrements(falsePositiveTarget, hashes, cellBits, cells);
    }

    private boolean isReservoir() {
      return kind == FilterKind.RSBF || kind == FilterKind.RSBF_MEASURED;
    }
  }
}
