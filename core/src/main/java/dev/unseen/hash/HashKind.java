package dev.unseen.hash;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The hash functions for keys. The {@linkplain #wireId wire id} is the number of the function in
 * files, and never changes.
 */
public enum HashKind {
  /**
   * XXH3, which is fast. With a {@link Secret}, only someone who knows the secret can craft keys
   * that collide. With a seed, anyone who knows the seed can.
   */
  XXH3(1, false, Xxh3::new, Xxh3::new),

  /**
   * SipHash, a pseudo-random function. It is also safe against strangers who can send millions of
   * keys and see the result for each, and it is slower than XXH3.
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

  /** Returns the name in lower case, for people. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the number that stands for this hash in files. */
  public int wireId() {
    return wireId;
  }

  /** Returns whether the seed is a key, which must be random and must stay secret. */
  public boolean isKeyed() {
    return keyed;
  }

  /** Returns the hash function with this seed. */
  public Hash64 create(long seed) {
    return factory.apply(seed);
  }

  /** Returns the hash function with this secret. */
  public Hash64 create(Secret secret) {
    return secretFactory.apply(secret);
  }

  /**
   * Returns the hash with this wire id.
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
