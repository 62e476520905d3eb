package dev.unseen;

import static dev.unseen.Memory.KiB;
import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.recency.RecencyAccess;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A stranger who knows the seed makes the record of somebody else vanish, or come twice, by sending
 * a few records first. With a secret, as a deduplicator has unless it is given a seed, the same
 * work is in vain. Secrets are fixed here, so that the tests always end alike.
 */
final class AdversaryTest {
  private static final long PUBLIC_SEED = 0;
  private static final long SECRET_SEED = 0x3A4B_97C1_D0F2_6E85L;
  private static final Secret SECRET = Secret.parse("3a4b97c1d0f26e85c0ffee0123456789");
  private static final int HASHES = 7;

  /** The bits of one bank of a Bloom filter of 64 KiB and k = 7. */
  private static final long BANK_BITS = 64 * 1024 * 8 / HASHES;

  private static final String VICTIM = "payment 4711";

  private static long position(long hash, int bank) {
    return Mix.reduce(Mix.mix(hash + bank * Mix.GOLDEN), BANK_BITS);
  }

  /** Tries names until each of the victim's bits is that of one of them: half a second of work. */
  private static List<String> craftedAgainst(Hash64 hash) {
    long victim = hash.hash(VICTIM);
    List<String> crafted = new ArrayList<>();
    boolean[] covered = new boolean[HASHES];
    for (int i = 0; crafted.size() < HASHES; i++) {
      String name = "stranger " + i;
      long hashed = hash.hash(name);
      for (int bank = 0; bank < HASHES; bank++) {
        if (!covered[bank] && position(hashed, bank) == position(victim, bank)) {
          covered[bank] = true;
          crafted.add(name);
        }
      }
    }
    return crafted;
  }

  private static Deduplicator<String> bloom(HashKind hash, long seed) {
    return Deduplicator.builder(Keys.utf8())
        .kind(FilterKind.BLOOM)
        .hashes(HASHES)
        .memory(KiB(64))
        .hash(hash)
        .seed(seed)
        .build();
  }

  @Test
  void seven_crafted_keys_make_a_record_vanish_if_the_seed_is_known() {
    Deduplicator<String> fast = bloom(HashKind.XXH3, PUBLIC_SEED);
    craftedAgainst(HashKind.XXH3.create(PUBLIC_SEED)).forEach(fast::admit);
    assertThat(fast.estimatedFpr()).as("by the load, all is well").isLessThan(1e-20);
    assertThat(fast.admit(VICTIM)).as("and yet it is lost").isFalse();
  }

  @Test
  void the_keyed_hash_resists_who_does_not_know_its_seed() {
    Deduplicator<String> keyed = bloom(HashKind.SIPHASH, SECRET_SEED);
    for (Hash64 guess :
        List.of(HashKind.SIPHASH.create(PUBLIC_SEED), HashKind.XXH3.create(PUBLIC_SEED))) {
      craftedAgainst(guess).forEach(keyed::admit);
    }
    assertThat(keyed.admit(VICTIM)).isTrue();
  }

  /** Numbers are worse: the fast hash can be run backwards, so one key is enough, at no cost. */
  @Test
  void one_computed_number_makes_another_vanish_from_the_default_filter() {
    long victim = 4711;
    long stranger = collidingWith(victim);
    assertThat(stranger).isNotEqualTo(victim);
    assertThat(admitsBoth(HashKind.XXH3, PUBLIC_SEED, stranger, victim)).isFalse();
    assertThat(admitsBoth(HashKind.SIPHASH, SECRET_SEED, stranger, victim)).isTrue();
    assertThat(admitsBoth(HashKind.XXH3, PUBLIC_SEED, stranger + 1, victim)).isTrue();
  }

  private static boolean admitsBoth(HashKind hash, long seed, long first, long second) {
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs()).memory(KiB(64)).hash(hash).seed(seed).build();
    return dedup.admit(first) && dedup.admit(second);
  }

  /** Same line and same fingerprint: only bits that the filter does not look at are others. */
  private static long collidingWith(long victim) {
    long inFilter = Mix.mix(HashKind.XXH3.create(PUBLIC_SEED).hash(victim));
    long other = inFilter ^ (1L << 45); // below the bits of the line, above the fingerprint
    long numberSeed = Mix.mix(PUBLIC_SEED + Mix.GOLDEN);
    long hash = unmix(other);
    return unmix(unmix(hash) - numberSeed) ^ numberSeed;
  }

  /** Found in 0.28 s by running the hash of eight characters backwards. */
  private static final String CRAFTED = "@/<8m'!G";

  private static Deduplicator<String> lines(Secret secret) {
    DeduplicatorBuilder<String> builder = Deduplicator.builder(Keys.utf8()).memory(MiB(64));
    return (secret == null ? builder.seed(PUBLIC_SEED) : builder.secret(secret)).build();
  }

  @Test
  void a_crafted_line_suppresses_an_address_only_if_the_seed_is_known() {
    Deduplicator<String> known = lines(null);
    assertThat(known.admit(CRAFTED)).isTrue();
    assertThat(known.admit("alice@example.com")).as("lost").isFalse();
    Deduplicator<String> secret = lines(SECRET);
    assertThat(secret.admit(CRAFTED)).isTrue();
    assertThat(secret.admit("alice@example.com")).isTrue();
  }

  /** Keys of the two lines that the victim may be in: where the seed is known, they evict it. */
  private static List<String> neighboursOf(String victim, int count, Hash64 hash) {
    FilterSpec spec = FilterSpec.of(FilterKind.RECENCY, KiB(16));
    List<Long> lines = RecencyAccess.linesOf(spec, hash.hash(victim));
    List<String> neighbours = new ArrayList<>();
    for (int i = 0; neighbours.size() < count; i++) {
      String name = "stranger " + i;
      if (RecencyAccess.linesOf(spec, hash.hash(name)).equals(lines)) {
        neighbours.add(name);
      }
    }
    return neighbours;
  }

  @Test
  void crafted_lines_evict_a_key_only_if_the_seed_is_known() {
    for (HashKind kind : HashKind.values()) {
      List<String> crafted = neighboursOf(VICTIM, 100, kind.create(PUBLIC_SEED));
      Deduplicator<String> known = afterRepeats(small(kind).seed(PUBLIC_SEED));
      known.admit(VICTIM);
      crafted.forEach(known::admit);
      assertThat(known.admit(VICTIM)).as("forgotten, comes twice").isTrue();
      Deduplicator<String> secret = afterRepeats(small(kind).secret(SECRET));
      secret.admit(VICTIM);
      crafted.forEach(secret::admit);
      assertThat(secret.admit(VICTIM)).as("remembered").isFalse();
    }
  }

  /** Some keys have come again, so the filter replaces keys. */
  private static Deduplicator<String> afterRepeats(DeduplicatorBuilder<String> builder) {
    Deduplicator<String> dedup = builder.build();
    for (int i = 0; i < 6000; i++) {
      dedup.admit("usual " + i % 3000);
    }
    return dedup;
  }

  private static DeduplicatorBuilder<String> small(HashKind hash) {
    return Deduplicator.builder(Keys.utf8()).memory(KiB(16)).hash(hash).onAlarm(alarm -> {});
  }

  @Test
  void the_computed_number_is_of_no_use_against_a_secret() {
    for (HashKind kind : HashKind.values()) {
      Deduplicator<Long> dedup =
          Deduplicator.builder(Keys.longs()).memory(KiB(64)).hash(kind).secret(SECRET).build();
      assertThat(dedup.admit(collidingWith(4711)) && dedup.admit(4711L)).isTrue();
    }
  }

  @Test
  void a_deduplicator_of_which_nothing_is_said_has_a_secret_of_its_own() {
    Deduplicator<String> one = Deduplicator.builder(Keys.utf8()).memory(KiB(64)).build();
    Deduplicator<String> two = Deduplicator.builder(Keys.utf8()).memory(KiB(64)).build();
    assertThat(one.spec().secret()).isPresent().isNotEqualTo(two.spec().secret());
  }

  /** The inverse of {@link Mix#mix}. */
  private static long unmix(long x) {
    x = (x ^ (x >>> 31) ^ (x >>> 62)) * inverse(0x94D049BB133111EBL);
    x = (x ^ (x >>> 27) ^ (x >>> 54)) * inverse(0xBF58476D1CE4E5B9L);
    return x ^ (x >>> 30) ^ (x >>> 60);
  }

  /** Of an odd number modulo 2^64, by Newton's iteration. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 5; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
