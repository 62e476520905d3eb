package dev.unseen.io;

import static dev.unseen.testing.Generators.byteArrays;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyNormalizationTest {
  /**
   * The JDK compares chars in the same way: upper case first, then lower case. Unicode's simple
   * folding differs in the i with a capital's dot and the one without a dot, which are themselves.
   */
  @Test
  void two_characters_are_one_without_case_exactly_if_unicode_says_so() {
    assertThat(fold("\u0131")).isEqualTo(fold("\u0131")).isNotEqualTo("i");
    assertThat(fold("\u0130")).isNotEqualTo("i").isNotEqualTo(fold("\u0131"));
    assertThat(fold("I")).isEqualTo("i");
    assertThat(fold("\u1E9E")).isEqualTo(fold("ß")).isNotEqualTo("ss");
    assertThat(fold("ſ")).isEqualTo("s");
    assertThat(fold("ς")).isEqualTo(fold("Σ"));
    for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
      if ((point < 0xD800 || point > 0xDFFF) && point != 0x130 && point != 0x131) {
        int other = Character.toUpperCase(point);
        int third = Character.toLowerCase(other);
        String folded = fold(Character.toString(point));
        assertThat(folded)
            .isEqualTo(new String(Character.toString(third).getBytes(UTF_8), ISO_8859_1));
        assertThat(fold(Character.toString(other))).isEqualTo(folded);
      }
    }
  }

  @Property
  void any_bytes_fold_to_bytes_that_fold_to_themselves_and_fit(Choices choices) {
    byte[] bytes = choices.draw("bytes", byteArrays());
    byte[] once = new byte[bytes.length / 2 * 3 + 3];
    int end = new KeyNormalization(true, false).fold(bytes, 0, bytes.length, once, 0);
    byte[] folded = Arrays.copyOf(once, end);
    byte[] twice = new byte[end / 2 * 3 + 3];
    int again = new KeyNormalization(true, false).fold(folded, 0, end, twice, 0);
    assertThat(Arrays.copyOf(twice, again)).isEqualTo(folded);
  }

  @Test
  void what_is_not_utf8_stays() {
    KeyNormalization normal = new KeyNormalization(true, false);
    for (String odd :
        new String[] {
          "\u00c3", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00ff", "\u00f4\u0090\u0080\u0080"
        }) {
      byte[] bytes = odd.getBytes(ISO_8859_1);
      byte[] into = new byte[9];
      int end = normal.fold(bytes, 0, bytes.length, into, 0);
      assertThat(Arrays.copyOf(into, end)).isEqualTo(bytes);
    }
  }

  private static String fold(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] into = new byte[9];
    int end = new KeyNormalization(true, false).fold(bytes, 0, bytes.length, into, 0);
    return new String(into, 0, end, ISO_8859_1);
  }
}
