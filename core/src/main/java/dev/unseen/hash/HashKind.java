package dev.unseen.hash;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * The hashes of keys. The {@linkplain #wireId wire id} is what files call one; it never changes.
 */
public enum HashKind {
  /**
   * Fast. With a {@link Secret} nobody can craft keys that collide who does not know it; with a
   * seed anybody can who knows the seed.
   */
  XXH3(1, false, Xxh3::new, Xxh3::new),

  /**
   * A pseudo-random function: also safe from strangers who can send millions of keys and watch what
   * becomes of each. Slower than the other.
   */
  SIPHASH(2, true, SipHash::new, Secret::sipHash);

  private final int wireId;
  private final boolean keyed;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor reference, which has no state
  private final LongFunction<Hash64> factory;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference, which has no state
  private final Function<Secret, Hash64> secretFactory;

  HashKind(
      int wireId,
      boolean keyed,
      LongFunction<Hash64> factory,
      Function<Secret, Hash64> secretFactory) {
    this.wireId = wireId;
    this.keyed = keyed;
    this.factory = factory;
    this.secretFactory = secretFactory;
  }

  /** The name in lower case, for people. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The number that stands for this hash in files. */
  public int wireId() {
    return wireId;
  }

  /** Returns whether the seed is a key, which has to be random and has to stay secret. */
  public boolean isKeyed() {
    return keyed;
  }

  /** The hash with this seed. */
  public Hash64 create(long seed) {
    return factory.apply(seed);
  }

  /** Returns the hash with this secret. */
  public Hash64 create(Secret secret) {
    return secretFactory.apply(secret);
  }

  /**
   * The hash with this id, in any case.
   *
   * @throws IllegalArgumentException with the known ids, if there is none
   */
  public static HashKind of(String id) {
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(id.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "hash '%s' is unknown; known: %s"
                        .formatted(
                            id,
                            Arrays.stream(values())
                                .map(HashKind::id)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * The hash with this wire id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static HashKind ofWireId(int wireId) {
    return Arrays.stream(values())
        .filter(kind -> kind.wireId == wireId)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("hash number %d is unknown".formatted(wireId)));
  }
}
