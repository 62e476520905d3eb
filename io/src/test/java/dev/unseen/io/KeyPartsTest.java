package dev.unseen.io;

import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.oneOf;
import static dev.unseen.testing.Generators.strings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyPartsTest {
  private static byte[] key(int count, List<String> parts) {
    KeyParts key = new KeyParts(count, KeyNormalization.NOTHING);
    key.clear();
    for (int part = parts.size() - 1; part >= 0; part--) { // they come in any order
      byte[] bytes = parts.get(part).getBytes(UTF_8);
      key.setBytes(part, bytes, 0, bytes.length);
    }
    assertThat(key.missing()).isEqualTo(-1);
    key.finish(parts.size());
    return Arrays.copyOfRange(key.buffer(), key.offset(), key.offset() + key.length());
  }

  @Property
  void one_part_is_its_bytes(Choices choices) {
    String text = choices.draw("text", strings());
    assertThat(key(1, List.of(text))).isEqualTo(text.getBytes(UTF_8));
  }

  /** Parts of few, short values, and of what the lengths before parts look like. */
  private static Generator<List<String>> parts() {
    return lists(oneOf("", "a", "b", "ab", "ba", "\0\0\0\1", "\0\0\0\1a", "\0\0\0\0", "\0"), 0, 3);
  }

  @Property(tries = 20_000)
  void composites_are_equal_only_if_all_parts_are(Choices choices) {
    List<String> a = choices.draw("a", parts());
    List<String> b = choices.draw("b", parts());
    assertThat(Arrays.equals(key(0, a), key(0, b))).isEqualTo(a.equals(b));
  }

  @Test
  void each_part_of_a_composite_has_its_length_before_it() {
    assertThat(HexFormat.of().formatHex(key(2, List.of("ab", ""))))
        .isEqualTo("00000002" + "6162" + "00000000");
  }

  @Test
  void a_part_that_was_not_set_is_missing() {
    KeyParts key = new KeyParts(2, KeyNormalization.NOTHING);
    key.clear();
    key.setBytes(0, new byte[0], 0, 0);
    assertThat(key.missing()).isEqualTo(1);
    key.clear();
    assertThat(key.missing()).isEqualTo(0);
  }
}
