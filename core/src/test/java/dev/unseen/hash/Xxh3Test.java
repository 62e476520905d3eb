package dev.unseen.hash;

import static dev.unseen.testing.Generators.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Xxh3Test {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 42, 0x9E3779B97F4A7C15L, Long.MIN_VALUE, Long.MAX_VALUE})
  void equals_hash4j_for_every_length_up_to_4096(long seed) {
    byte[] bytes = new byte[4096 + 7];
    new Random(seed).nextBytes(bytes);
    Xxh3 ours = new Xxh3(seed);
    var oracle = Hashing.xxh3_64(seed);
    for (int length = 0; length <= 4096; length++) {
      int offset = length % 8;
      assertThat(ours.hash(bytes, offset, length))
          .as("length %d, seed %d", length, seed)
          .isEqualTo(oracle.hashBytesToLong(bytes, offset, length));
    }
  }

  @Test
  void equals_hash4j_for_a_megabyte_and_a_bit() {
    byte[] bytes = new byte[(1 << 20) + 13];
    new Random(5).nextBytes(bytes);
    assertThat(new Xxh3(7).hash(bytes)).isEqualTo(Hashing.xxh3_64(7).hashBytesToLong(bytes));
  }

  /** Frozen: a saved filter is worthless once one of these changes. */
  @Test
  void is_frozen() {
    Xxh3 hash = new Xxh3(42);
    assertThat(hash.hash("unseen")).isEqualTo(-6464280377160847886L);
    assertThat(hash.hash(1L)).isEqualTo(-6085529179072297904L);
    assertThat(hash.combine(1, 2)).isEqualTo(-9092759354904896262L);
  }

  @Property
  void text_hashes_as_its_utf8_bytes(Choices choices) {
    String text = choices.draw("text", strings());
    String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    Xxh3 hash = new Xxh3(3);
    assertThat(hash.hash(valid)).isEqualTo(hash.hash(valid.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void text_longer_than_the_kept_buffer_hashes_as_its_utf8_bytes() {
    String text = "a\u00e9\u20ac\uD83D\uDE00".repeat(20_000);
    Xxh3 hash = new Xxh3(3);
    assertThat(hash.hash(text)).isEqualTo(hash.hash(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void broken_surrogates_stay_apart() {
    // As UTF-8 by the JDK all of these become "?", so that three different keys would be one.
    Xxh3 hash = new Xxh3(0);
    assertThat(
            Set.of(hash.hash("\uD800"), hash.hash("\uD801"), hash.hash("\uDC00"), hash.hash("?")))
        .hasSize(4);
  }

  @Test
  void numbers_never_collide_and_seeds_matter() {
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < 4; seed++) {
      Xxh3 hash = new Xxh3(seed);
      for (long i = -50_000; i < 50_000; i++) {
        hashes.add(hash.hash(i));
      }
    }
    assertThat(hashes).hasSize(400_000);
  }

  @Test
  void flipping_any_bit_of_a_number_flips_half_of_the_hash() {
    // 64 * 64 pairs of bits, 4096 numbers each: a pair's share has a standard deviation of 1/128,
    // so that six of them are passed somewhere with odds of 8e-6, had the seed been another.
    Xxh3 hash = new Xxh3(9);
    int[][] flips = new int[64][64];
    for (long n = 0; n < 4096; n++) {
      for (int in = 0; in < 64; in++) {
        long changed = hash.hash(n) ^ hash.hash(n ^ (1L << in));
        for (int out = 0; out < 64; out++) {
          flips[in][out] += (int) ((changed >>> out) & 1);
        }
      }
    }
    for (int[] row : flips) {
      for (int flipped : row) {
        assertThat(flipped / 4096.0).isBetween(0.5 - 6.0 / 128, 0.5 + 6.0 / 128);
      }
    }
  }

  @Test
  void combining_is_not_symmetric() {
    Xxh3 hash = new Xxh3(0);
    assertThat(hash.combine(1, 2)).isNotEqualTo(hash.combine(2, 1));
  }

  @Test
  void rejects_bytes_that_are_not_there() {
    assertThatThrownBy(() -> new Xxh3(0).hash(new byte[10], 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Of every class of lengths, frozen: saved filters depend on it. */
  @Test
  void a_secret_changes_every_hash_and_stays_as_it_is() {
    Secret secret = Secret.parse("00112233445566778899aabbccddeeff");
    Xxh3 keyed = new Xxh3(secret);
    long sum = 0;
    for (int length = 0; length <= 1100; length++) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (i * 7 + length);
      }
      assertThat(keyed.hash(bytes)).isNotEqualTo(new Xxh3(0).hash(bytes));
      sum = 31 * sum + keyed.hash(bytes);
    }
    sum = 31 * sum + keyed.hash(17L);
    sum = 31 * sum + keyed.combine(17, 4);
    assertThat(sum).isEqualTo(GOLDEN_OF_SECRET);
  }

  /** Made by this class, and the same since. */
  private static final long GOLDEN_OF_SECRET = 8915993682455286107L;
}
