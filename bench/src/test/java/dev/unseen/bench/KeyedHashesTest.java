package dev.unseen.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is measured has to be what it says: the first vectors that the authors have published. */
final class KeyedHashesTest {
  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  @Test
  void highwayhash_is_that_of_its_authors() {
    HighwayHash hash =
        new HighwayHash(
            0x0706050403020100L, 0x0F0E0D0C0B0A0908L, 0x1716151413121110L, 0x1F1E1D1C1B1A1918L);
    assertThat(hash.hash(counting(0), 0, 0)).isEqualTo(0x907A56DE22C26E53L);
    assertThat(hash.hash(counting(1), 0, 1)).isEqualTo(0x7EAB43AAC7CDDD78L);
    assertThat(hash.hash(counting(2), 0, 2)).isEqualTo(0xB8D0569AB0B53D62L);
  }
}
