package dev.unseen.filter;

import dev.unseen.bits.Cells;
import dev.unseen.error.DifferentOptionsException.Difference;
import dev.unseen.error.OptionException;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import dev.unseen.text.Print;
import dev.unseen.text.Require;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes a filter completely: two filters of equal specs, given equal hashes, give equal
 * answers. A spec consists of a kind, its memory, a seed, a hash of keys, and the {@linkplain
 * Parameter parameters} of the kind. It checks all values when it is created.
 *
 * <p>A spec is exact, so that experiments can be repeated: its seed is 0 by default. If strangers
 * can choose the keys, use a {@link Secret}. Deduplicators and gates draw one automatically.
 *
 * <p>A parameter that the kind does not have keeps its {@linkplain Parameter#neutral neutral}
 * value, so that specs of equal filters are equal.
 */
public final class FilterSpec {
  /** The default for the largest false positive rate of RECENCY: 1 in 10,000. */
  public static final double DEFAULT_MAX_FPR = 1e-4;

  /** The smallest value that can be set as the largest false positive rate. */
  public static final double MIN_MAX_FPR = 1e-9;

  /** The largest value that can be set as the largest false positive rate. */
  public static final double MAX_MAX_FPR = 1e-2;

  /** The least memory of a filter, in bytes. */
  public static final long MIN_MEMORY_BYTES = 64;

  /** The most memory of a filter, in bytes: 16 TiB. The heap is usually smaller. */
  public static final long MAX_MEMORY_BYTES = 1L << 44;

  /** The number of bytes that {@link #write} writes. */
  public static final int WIRE_BYTES = SpecWire.BYTES;

  private static final double DEFAULT_FALSE_POSITIVE_TARGET = 0.1;

  private final FilterKind kind;
  private final long memoryBytes;
  private final long seed;
  private final HashKind hash;
  private final @Nullable Secret secret; // null: there is none, and keys are hashed with the seed
  private final Object[] values; // of all parameters by their index, including neutral values
  private final int hashes; // one of the values, kept here because it is read for each record

  /** Creates a spec, and rejects values that no filter can have. */
  FilterSpec(
      FilterKind kind,
      long memoryBytes,
      long seed,
      HashKind hash,
      @Nullable Secret secret,
      Object[] values) {
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

  /** Returns a spec of this kind with the default parameters. */
  public static FilterSpec of(FilterKind kind, long memoryBytes) {
    return builder(kind, memoryBytes).build();
  }

  /** Creates a builder that starts with the default parameters of this kind. */
  public static Builder builder(FilterKind kind, long memoryBytes) {
    return new Builder(kind, memoryBytes);
  }

  /** Returns the kind of filter. */
  public FilterKind kind() {
    return kind;
  }

  /** Returns the memory of the filter's storage in bytes, which is a hard cap. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Returns the seed of the key hash and of the filter's random choices. */
  public long seed() {
    return seed;
  }

  /** Returns the function that turns keys into the hashes that the filter checks. */
  public HashKind hash() {
    return hash;
  }

  /**
   * Returns the value of a parameter. The value is neutral if the kind does not have the parameter.
   */
  @SuppressWarnings("unchecked") // the builder and the reader store values of the parameter's type
  public <T> T get(Parameter<T> parameter) {
    return (T) values[parameter.index()];
  }

  /** Returns the number of positions of a key, k: the {@link Parameter#HASHES} parameter. */
  public int hashes() {
    return hashes;
  }

  /**
   * Returns the largest share of new keys that RECENCY may treat as seen: the {@link
   * Parameter#MAX_FPR} parameter.
   */
  public double maxFpr() {
    return get(Parameter.MAX_FPR);
  }

  /** Returns how long a key counts as seen by RECENCY: the {@link Parameter#WINDOW} parameter. */
  public Window window() {
    return get(Parameter.WINDOW);
  }

  /**
   * Returns what a duplicate does to its key in RECENCY: the {@link Parameter#REFRESH} parameter.
   */
  public Refresh refresh() {
    return get(Parameter.REFRESH);
  }

  /**
   * Returns the size of the filter's storage in bytes: the memory, rounded down to what the filter
   * can use.
   */
  public long storageBytes() {
    return kind.storageBytes(this);
  }

  /** Returns the secret that keys are hashed with. It is empty if they are hashed with the seed. */
  public Optional<Secret> secret() {
    return Optional.ofNullable(secret);
  }

  /**
   * Returns the hash function for keys, with the secret of this spec, or with its seed if it has
   * none.
   */
  public Hash64 keyHash() {
    return secret == null ? hash.create(seed) : hash.create(secret);
  }

  /** Returns whether keys have the same hashes with another spec. */
  public boolean hashesLike(FilterSpec other) {
    return hash == other.hash && seed == other.seed && Objects.equals(secret, other.secret);
  }

  /** Returns a copy of this spec with another hash of keys and another seed, without a secret. */
  public FilterSpec withHash(HashKind otherHash, long otherSeed) {
    return new FilterSpec(kind, memoryBytes, otherSeed, otherHash, null, values);
  }

  /** Returns a copy of this spec with a secret. Its seed is derived from the secret. */
  public FilterSpec withSecret(Secret key) {
    return new FilterSpec(kind, memoryBytes, key.seed(), hash, key, values);
  }

  /** Returns a copy of this spec with another memory and another seed, for a part of a filter. */
  public FilterSpec part(long bytes, long partSeed) {
    return new FilterSpec(kind, bytes, partSeed, hash, secret, values);
  }

  /** Returns the number of whole 64-bit words that fit in the memory. */
  public long words() {
    return memoryBytes / Long.BYTES;
  }

  /** Returns the number of bits in these words, M in the paper. */
  public long bits() {
    return words() * Long.SIZE;
  }

  /** Returns a description without the seed: {@code rlbsbf k=2, 64 MiB}. */
  public String describe() {
    String parameters =
        kind.parameters().stream()
            .map(parameter -> parameter.describe(this))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return kind.id() + " " + parameters + ", " + Print.bytes(memoryBytes);
  }

  /**
   * Lists the differences between this spec and another, each with both values: {@code hashes: 2
   * and 4}. The values of seeds are left out for a keyed hash, because its seed is a secret.
   */
  public List<Difference> differencesTo(FilterSpec other) {
    List<Difference> all = new ArrayList<>();
    compare("kind", kind, other.kind, FilterKind::id, all);
    if (memoryBytes != other.memoryBytes) {
      String bytes = String.format(Locale.ROOT, "%,d bytes", other.memoryBytes);
      all.add(new Difference("memory", String.format(Locale.ROOT, "%,d", memoryBytes), bytes));
    }
    compare("hash", hash, other.hash, HashKind::id, all);
    if (!Objects.equals(secret, other.secret)) {
      all.add(new Difference("secret", fingerprint(), other.fingerprint()));
    } else if (hash.isKeyed() || other.hash.isKeyed()) {
      compare("seed", seed, other.seed, number -> number == seed ? "a hidden one" : "another", all);
    } else {
      compare("seed", seed, other.seed, String::valueOf, all);
    }
    if (kind == other.kind) {
      Parameter.all().forEach(parameter -> compare(parameter, other, all));
    }
    return all;
  }

  private <T> void compare(Parameter<T> parameter, FilterSpec other, List<Difference> all) {
    compare(parameter.name(), get(parameter), other.get(parameter), parameter::text, all);
  }

  private static <T> void compare(
      String name, T one, T other, Function<T, String> text, List<Difference> all) {
    if (!one.equals(other)) {
      all.add(new Difference(name, text.apply(one), text.apply(other)));
    }
  }

  private String fingerprint() {
    return secret == null ? "none" : secret.fingerprint();
  }

  /**
   * Writes the spec as {@link #WIRE_BYTES} bytes. {@code docs/snapshot-format.md} shows the layout.
   */
  public void write(ByteBuffer to) {
    SpecWire.write(this, to);
  }

  /**
   * Reads a spec that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if {@link #write} could not have written it
   */
  public static FilterSpec read(ByteBuffer from) {
    return SpecWire.read(from);
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

  /** Returns a description with the seed, unless the seed is a secret. */
  @Override
  public String toString() {
    return "FilterSpec[%s, %s]".formatted(describe(), describeHash());
  }

  /**
   * Returns a description of the key hash: {@code xxh3, secret 3fa95c01}, where the digits are a
   * fingerprint of the secret, or {@code xxh3, seed 5}. A seed that is a secret is not shown.
   */
  public String describeHash() {
    String key =
        secret != null ? secret.toString() : hash.isKeyed() ? "with a secret seed" : "seed " + seed;
    return hash.id() + ", " + key;
  }

  private static void requireMemory(long bytes) {
    Require.that(
        bytes >= MIN_MEMORY_BYTES && bytes <= MAX_MEMORY_BYTES,
        "memory",
        String.format(Locale.ROOT, "%,d bytes", bytes),
        "64 bytes to 16 TiB");
  }

  /** Builds a spec. Values that are not set are the defaults of the kind. */
  public static final class Builder {
    private final FilterKind kind;
    private final long memoryBytes;
    private final Map<Parameter<?>, Object> set = new HashMap<>();
    private @Nullable Long seed; // null: not set
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

    /** Sets {@link Parameter#HASHES}, and rejects a value that the kind cannot have. */
    public Builder hashes(int k) {
      if (k < 1 || k > kind.maxHashes()) {
        throw OptionException.outOfRange(
            "hashes",
            k,
            "%s for %s"
                .formatted(kind.maxHashes() == 1 ? "1" : "1 to " + kind.maxHashes(), kind.id()));
      }
      return set(Parameter.HASHES, k);
    }

    /**
     * Sets the seed of the key hash and of the filter's random choices. By default it is 0, or a
     * random number if the hash is keyed.
     */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets the target false positive rate, from which the P of SBF or the k of RSBF is derived by
     * the paper's rule. Default: 0.1, as in the paper.
     */
    public Builder falsePositiveTarget(double rate) {
      Require.that(
          kind == FilterKind.SBF || kind == FilterKind.RSBF,
          "falsePositiveTarget",
          rate,
          "left unset for " + kind.id() + "; it chooses the P of sbf and the k of rsbf");
      Require.that(rate > 0 && rate < 1, "falsePositiveTarget", rate, "above 0 and below 1");
      this.falsePositiveTarget = rate;
      return kind == FilterKind.RSBF
          ? hashes(Sizing.reservoirHashes(rate, kind.maxHashes()))
          : this;
    }

    /**
     * Sets the expected number of distinct keys, from which BLOOM derives the k that gives the
     * fewest false positives when it holds all of them.
     */
    public Builder expectedKeys(long keys) {
      Require.that(
          kind == FilterKind.BLOOM,
          "expectedKeys",
          keys,
          "left unset for " + kind.id() + "; it chooses the k of bloom");
      Require.that(keys >= 1, "expectedKeys", keys, "at least 1");
      return hashes(
          Sizing.bloomHashes(memoryBytes / Long.BYTES * Long.SIZE, keys, kind.maxHashes()));
    }

    /** Sets {@link Parameter#MAX_FPR}. Default: 1e-4. */
    public Builder maxFpr(double rate) {
      return set(Parameter.MAX_FPR, rate);
    }

    /**
     * Sets {@link Parameter#WINDOW}. By default a key counts as seen as long as the memory holds
     * it.
     */
    public Builder window(Window window) {
      return set(Parameter.WINDOW, window);
    }

    /** Sets {@link Parameter#REFRESH}. Default: {@link Refresh#ADAPTIVE}. */
    public Builder refresh(Refresh refresh) {
      return set(Parameter.REFRESH, refresh);
    }

    /** Sets how keys are hashed. Default: {@link HashKind#XXH3}. */
    public Builder hash(HashKind hash) {
      this.hash = hash;
      return this;
    }

    /** Creates the spec. */
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
        seed = new SecureRandom().nextLong(); // kept, so that a second spec is equal to the first
      }
      return new FilterSpec(kind, memoryBytes, seed == null ? 0 : seed, hash, null, values);
    }

    private int decrementsFor(Object[] values) {
      int hashes = (Integer) values[Parameter.HASHES.index()];
      int cellBits = (Integer) values[Parameter.CELL_BITS.index()];
      Require.that(cellBits >= 1 && cellBits <= 4, "cellBits", cellBits, "1 to 4");
      long cells = Cells.countIn(memoryBytes / Long.BYTES, cellBits);
      return Sizing.stableDecrements(falsePositiveTarget, hashes, cellBits, cells);
    }
  }
}
