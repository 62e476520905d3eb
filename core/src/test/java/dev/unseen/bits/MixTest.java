package dev.unseen.bits;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

final class MixTest {
  @Property
  void reduces_by_the_full_128_bit_product(Choices choices) {
    long hash = choices.draw("hash", longs());
    long n = choices.draw("n", longs(1, Long.MAX_VALUE));
    BigInteger unsigned = new BigInteger(Long.toUnsignedString(hash));
    long expected = unsigned.multiply(BigInteger.valueOf(n)).shiftRight(64).longValueExact();
    assertThat(Mix.reduce(hash, n)).isEqualTo(expected).isBetween(0L, n - 1);
  }

  @Test
  void reaches_both_ends_of_a_range_beyond_32_bits() {
    long n = 20L << 33; // the bits of 20 GiB
    assertThat(Mix.reduce(0, n)).isZero();
    assertThat(Mix.reduce(-1, n)).isEqualTo(n - 1);
    assertThat(Mix.reduce(Long.MIN_VALUE, n)).isEqualTo(n / 2);
  }

  @Test
  void has_no_modulo_bias() {
    // n = 3 * 2^61: a remainder would favour the lowest third two to one. Here each third gets its
    // third of 300,000 within 5 standard deviations, 5 * 258; odds of failure 2e-6 per seed.
    long n = 3L << 61;
    int[] thirds = new int[3];
    for (long i = 0; i < 300_000; i++) {
      thirds[(int) (Mix.reduce(Mix.mix(i * Mix.GOLDEN), n) / (1L << 61))]++;
    }
    for (int count : thirds) {
      assertThat(count).isBetween(100_000 - 1290, 100_000 + 1290);
    }
  }
}
