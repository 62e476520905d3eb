package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MemoryTest {
  @ParameterizedTest
  @CsvSource({
    "64M, 67108864",
    "64m, 67108864",
    "64MB, 67108864",
    "64 MiB, 67108864",
    "1.5K, 1536",
    "4096, 4096",
    "4096B, 4096",
    "20G, 21474836480",
    "2T, 2199023255552"
  })
  void reads_sizes_as_people_write_them(String text, long bytes) {
    assertThat(Memory.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lots", "-5M", "64X", "M", "1e6", "0x10"})
  void rejects_what_is_not_a_size(String text) {
    assertThatThrownBy(() -> Memory.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size '%s' must be a number and a unit, such as 512K, 64M or 2G", text);
  }

  @Test
  void rejects_sizes_beyond_64_bits() {
    assertThatThrownBy(() -> Memory.parse("9999999999T"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9999999999T");
    assertThatThrownBy(() -> Memory.GiB(1L << 40))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size (1099511627776) must be 0 to 8589934591");
  }

  @Test
  void rejects_a_negative_size() {
    assertThatThrownBy(() -> Memory.MiB(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("size (-1) must be 0 to ");
  }

  @Test
  void units_are_binary() {
    assertThat(Memory.KiB(2)).isEqualTo(2048);
    assertThat(Memory.MiB(2)).isEqualTo(2 << 20);
    assertThat(Memory.GiB(2)).isEqualTo(2L << 30);
  }
}
