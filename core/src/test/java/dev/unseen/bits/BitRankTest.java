package dev.unseen.bits;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;

final class BitRankTest {
  @Property
  void select_finds_the_place_of_each_set_bit(Choices choices) {
    long random = choices.draw("random", longs());
    long mask = choices.draw("mask", longs());
    long word = random & mask;
    int number = 0;
    for (int bit = 0; bit < Long.SIZE; bit++) {
      if (((word >>> bit) & 1) != 0) {
        assertThat(BitRank.select(word, number++)).isEqualTo(bit);
      }
    }
    assertThat(BitRank.select(-1, 63)).isEqualTo(63);
  }

  @Property
  void a_bit_is_inserted_and_removed(Choices choices) {
    long word = choices.draw("word", longs());
    int bit = choices.draw("bit", ints(0, 62));
    long with = BitRank.withZero(word, bit);
    assertThat((with >>> bit) & 1).isZero();
    assertThat(with & BitRank.below(bit)).isEqualTo(word & BitRank.below(bit));
    assertThat(BitRank.without(with, bit)).isEqualTo(word & Long.MAX_VALUE);
    assertThat(Long.bitCount(BitRank.below(bit))).isEqualTo(bit);
  }
}
