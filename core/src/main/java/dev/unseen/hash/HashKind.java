package dev.unseen.hash;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * The hashes of keys. The {@linkplain #wireId wire id} is what files call one; it never changes.
 */
public enum HashKind {
  /** Fast. Who knows the seed can craft keys that collide: for keys that nobody chooses to harm. */
  XXH3(1, false, Xxh3::new),

  /**
   * Keyed: as long as the seed is random and secret, nobody can craft keys that collide. For keys
   * that come from strangers. Slower than the other.
   */
  SIPHASH(2, true, SipHash::new);

  private final int wireId;
  private final boolean keyed;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor reference, which has no state
  private final LongFunction<Hash64> factory;

  HashKind(int wireId, boolean keyed, LongFunction<Hash64> factory) {
    this.wireId = wireId;
    this.keyed = keyed;
    this.factory = factory;
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
