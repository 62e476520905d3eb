package dev.unseen.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class WordsTest {
  private static final long CHUNK = 1L << 26;

  @Test
  void goes_on_where_one_chunk_ends() {
    Words words = new Words(CHUNK + 3);
    for (long i = CHUNK - 2; i < CHUNK + 3; i++) {
      words.set(i, i);
    }
    for (long i = CHUNK - 2; i < CHUNK + 3; i++) {
      assertThat(words.get(i)).isEqualTo(i);
    }
    long bit = CHUNK * 64;
    words.set(CHUNK, 0);
    assertThat(words.setBit(bit + 5)).isEqualTo(1);
    assertThat(words.setBit(bit + 5)).isZero();
    assertThat(words.getBit(bit + 5)).isTrue();
    assertThat(words.getBit(bit - 64 + 5)).isEqualTo(((CHUNK - 1) >>> 5 & 1) != 0);
    assertThat(words.clearBit(bit + 5)).isEqualTo(1);
    assertThat(words.clearBit(bit + 5)).isZero();
  }

  @Test
  void what_the_heap_cannot_hold_is_refused_with_the_way_out() {
    long words = Runtime.getRuntime().maxMemory() / 8 + 1;
    assertThatThrownBy(() -> new Words(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("%,d bytes", words * 8)
        .hasMessageContaining("-Xmx");
    // Below the limit, but no room beside what is there already.
    assertThatThrownBy(() -> new Words(words - 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-Xmx");
  }
}
