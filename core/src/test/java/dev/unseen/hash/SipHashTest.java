package dev.unseen.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class SipHashTest {
  /** The key of the vectors: bytes 0 to 15. */
  private static final SipHash KEYED = new SipHash(0x0706050403020100L, 0x0F0E0D0C0B0A0908L);

  private static byte[] upTo(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  /** Aumasson and Bernstein 2012, appendix A: the 15 bytes 0 to 14. */
  @Test
  void gives_the_value_of_the_paper() {
    assertThat(KEYED.hash(upTo(15))).isEqualTo(0xA129CA6149BE45E5L);
  }

  /** The first vectors of the authors' own implementation, inputs of 0 to 8 bytes. */
  @Test
  void gives_the_values_of_the_authors_implementation() {
    long[] published = {
      0x726FDB47DD0E0E31L,
      0x74F839C593DC67FDL,
      0x0D6C8009D9A94F5AL,
      0x85676696D7FB7E2DL,
      0xCF2794E0277187B7L,
      0x18765564CD99A68DL,
      0xCBC9466E58FEE3CEL,
      0xAB0200F58B01D137L,
      0x93F5F5799A932462L,
    };
    for (int length = 0; length < published.length; length++) {
      assertThat(KEYED.hash(upTo(length))).as("%d bytes", length).isEqualTo(published[length]);
    }
  }

  @Test
  void numbers_and_pairs_are_hashed_as_their_bytes() {
    SipHash hash = new SipHash(77);
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0x0123456789ABCDEFL).putLong(-3);
    assertThat(hash.hash(0x0123456789ABCDEFL)).isEqualTo(hash.hash(bytes.array(), 0, 8));
    assertThat(hash.combine(0x0123456789ABCDEFL, -3)).isEqualTo(hash.hash(bytes.array()));
  }

  @Test
  void where_in_an_array_the_bytes_are_does_not_matter() {
    byte[] bytes = upTo(100);
    for (int length = 0; length < 40; length++) {
      assertThat(KEYED.hash(bytes, 11, length))
          .isEqualTo(KEYED.hash(Arrays.copyOfRange(bytes, 11, 11 + length)));
    }
  }
}
