package dev.unseen.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SplitMix64Test {
  @Test
  void draws_what_the_jdks_splittable_random_draws() {
    SplitMix64 ours = new SplitMix64(77);
    SplittableRandom oracle = new SplittableRandom(Mix.mix(77));
    for (int i = 0; i < 1000; i++) {
      assertThat(ours.next()).isEqualTo(oracle.nextLong());
    }
  }

  @Test
  void a_chance_is_what_it_says() {
    // 100,000 draws at 3/10: five standard deviations are 725; odds of failure 6e-7 per seed.
    SplitMix64 random = new SplitMix64(1);
    int hits = 0;
    for (int i = 0; i < 100_000; i++) {
      hits += random.chance(3, 10) ? 1 : 0;
    }
    assertThat(hits).isBetween(30_000 - 725, 30_000 + 725);
    assertThat(random.chance(10, 10)).isTrue();
    assertThat(random.chance(0, 10)).isFalse();
  }
}
