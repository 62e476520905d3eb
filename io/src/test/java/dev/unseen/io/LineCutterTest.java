package dev.unseen.io;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.io.Cutting.Piece;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineCutterTest {
  @Property(tries = 2000)
  void cuts_any_bytes_at_line_ends_only_however_they_arrive(Choices choices) {
    byte[] input = choices.draw("input", lines());
    boolean nul = choices.draw("nul", booleans());
    long arrival = choices.draw("arrival", longs());
    byte end = (byte) (nul ? 0 : '\n');
    assertThat(Cutting.pieces(new LineCutter(end, KeyNormalization.NOTHING), input, arrival))
        .isEqualTo(naive(input, end));
  }

  /** Line ends and the bytes next to them, which a careless search would confuse, are frequent. */
  private static Generator<byte[]> lines() {
    Generator<Byte> tricky =
        oneOf((byte) '\n', (byte) 11, (byte) 9, (byte) 0x8A, (byte) 0, (byte) 1, (byte) -128);
    return byteArrays(anyOf(tricky, bytes(), bytes()), 0, 300);
  }

  @Test
  void finds_line_ends_at_every_place_of_a_word_next_to_every_byte() {
    for (int other = 0; other < 256; other++) {
      for (int newline = 0; newline < 16; newline++) {
        byte[] input = new byte[16];
        Arrays.fill(input, (byte) other);
        input[newline] = '\n';
        assertThat(
                Cutting.pieces(
                    new LineCutter((byte) '\n', KeyNormalization.NOTHING), input, newline))
            .isEqualTo(naive(input, (byte) '\n'));
      }
    }
  }

  /** More lines than are found at once, of lengths that let the last of a block end anywhere. */
  @Test
  void cuts_more_lines_than_are_found_at_once() throws InputException {
    for (int longest = 0; longest < 12; longest++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 3000; i++) {
        text.append("x".repeat(i % (longest + 1))).append('\n');
      }
      for (String tail : List.of("", "no end")) {
        byte[] input = (text + tail).getBytes(UTF_8);
        assertThat(Cutting.atOnce(new LineCutter((byte) '\n', KeyNormalization.NOTHING), input))
            .isEqualTo(naive(input, (byte) '\n'));
      }
    }
  }

  @Test
  void a_line_longer_than_many_words_is_one_line() throws InputException {
    byte[] input = ("a\n" + "x".repeat(1_000_003) + "\nb").getBytes(UTF_8);
    assertThat(Cutting.atOnce(new LineCutter((byte) '\n', KeyNormalization.NOTHING), input))
        .isEqualTo(naive(input, (byte) '\n'));
  }

  @Test
  void keys_may_lose_blanks_and_case_while_records_keep_them() {
    byte[] input = " A b \r\na B\n\tÄSSSſ\näsSss".getBytes(UTF_8);
    List<Piece> pieces =
        Cutting.pieces(new LineCutter((byte) '\n', new KeyNormalization(true, true)), input, 1);
    assertThat(pieces.stream().map(Piece::said))
        .containsExactly("a b", "a b", latin("ässss"), latin("ässss"));
    assertThat(pieces.stream().map(Piece::text))
        .containsExactly(" A b \r\n", "a B\n", latin("\tÄSSSſ\n"), latin("äsSss"));
  }

  private static String latin(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  private static List<Piece> naive(byte[] input, byte end) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (byte b : input) {
      if (b == end) {
        pieces.add(new Piece("record", line.toString() + (char) end, line.toString()));
        line.setLength(0);
      } else {
        line.append((char) (b & 0xFF));
      }
    }
    if (!line.isEmpty()) {
      pieces.add(new Piece("record", line.toString(), line.toString()));
    }
    return pieces;
  }
}
