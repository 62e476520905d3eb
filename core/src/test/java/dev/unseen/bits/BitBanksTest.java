package dev.unseen.bits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BitBanksTest {
  private static final int BITS = 3 * 1000; // banks that begin and end within words
  private static final int ALL_WORDS = 40;

  /** From each bit of each bank, as one who looks at bit after bit. */
  @Test
  void the_next_one_is_found_round_the_end_of_its_bank() {
    BitBanks banks = BitBanks.partitioned(3, BITS);
    SplitMix64 random = new SplitMix64(1);
    for (int i = 0; i < 5; i++) {
      banks.setIn(0, banks.positionIn(0, random.below(1000)));
      banks.setIn(2, banks.positionIn(2, random.below(1000)));
    }
    for (int bank = 0; bank < 3; bank++) {
      for (long bit = 0; bit < 1000; bit++) {
        assertThat(banks.nextOne(bank, bit, ALL_WORDS)).isEqualTo(bitByBit(banks, bank, bit));
      }
    }
  }

  private static long bitByBit(BitBanks banks, int bank, long from) {
    for (long i = 0; i < 1000; i++) {
      long bit = (from + i) % 1000;
      if (banks.isSet(bank, bit)) {
        return bit;
      }
    }
    return -1;
  }

  @Test
  void the_search_for_the_next_one_ends() {
    BitBanks banks = BitBanks.partitioned(1, 64_000);
    banks.setIn(0, 640);
    assertThat(banks.nextOne(0, 0, 10)).isEqualTo(-1);
    assertThat(banks.nextOne(0, 0, 11)).isEqualTo(640);
  }
}
