package dev.unseen.io;

import static dev.unseen.io.Reading.drops;
import static dev.unseen.io.Reading.keys;
import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  private static final int LONGEST = 100;

  @Test
  void a_line_is_all_but_its_newline() throws IOException {
    assertThat(keys("a\r\n\n b \0\u00FF\nlast", RecordFormat.LINES, KeySpec.WHOLE_RECORD))
        .containsExactly("a\r", "", " b \0\u00FF", "last");
  }

  @Test
  void nothing_follows_the_last_newline() throws IOException {
    assertThat(keys("a\n", RecordFormat.LINES, KeySpec.WHOLE_RECORD)).containsExactly("a");
    assertThat(keys("\n", RecordFormat.LINES, KeySpec.WHOLE_RECORD)).containsExactly("");
  }

  /** Newlines in every place of a word, beside bytes that differ from them in one bit. */
  private static Generator<byte[]> lines() {
    Generator<Byte> near =
        oneOf((byte) '\n', (byte) 11, (byte) 8, (byte) 0x8A, (byte) 0, (byte) -1);
    return byteArrays(anyOf(near, bytes()), 0, 500);
  }

  @Property
  void cuts_any_bytes_that_come_in_any_drops_as_the_naive_loop_does(Choices choices)
      throws IOException {
    byte[] bytes = choices.draw("bytes", lines());
    long seed = choices.draw("seed", longs());
    int most = choices.draw("most", ints(1, 50));
    Source source = Source.open(drops(bytes, seed, most), "in");
    assertThat(keys(new LineReader(source, 1000))).isEqualTo(naive(bytes));
  }

  private static List<String> naive(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (byte b : bytes) {
      if (b == '\n') {
        lines.add(line.toString());
        line.setLength(0);
      } else {
        line.append((char) (b & 0xFF));
      }
    }
    if (line.length() > 0) {
      lines.add(line.toString());
    }
    return lines;
  }

  @Property
  void the_longest_line_is_read_and_one_byte_more_is_refused(Choices choices) throws IOException {
    int before = choices.draw("before", ints(0, 300));
    boolean newline = choices.draw("newline", booleans());
    long seed = choices.draw("seed", longs());
    int most = choices.draw("most", ints(1, 150));
    String start = "x\n".repeat(before);
    String line = "y".repeat(LONGEST);
    String end = newline ? "\n" : "";

    byte[] longest = (start + line + end).getBytes(ISO_8859_1);
    Source source = Source.open(drops(longest, seed, most), "in");
    assertThat(keys(new LineReader(source, LONGEST))).hasSize(before + 1).endsWith(line);

    byte[] tooLong = (start + line + "y" + end).getBytes(ISO_8859_1);
    Source again = Source.open(drops(tooLong, seed, most), "in");
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys(new LineReader(again, LONGEST)))
        .withMessage(
            "in, line %d is longer than 100 bytes, the longest that is read; is the file made of lines?",
            before + 1);
  }

  @Test
  void the_limit_of_files_is_64_MiB() throws IOException {
    byte[] bytes = new byte[(64 << 20) + 2];
    bytes[64 << 20] = '\n';
    try (KeyReader reader =
        KeyReaders.open(
            new ByteArrayInputStream(bytes), "in", RecordFormat.LINES, KeySpec.WHOLE_RECORD)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.length()).isEqualTo(64 << 20);
    }
    bytes[64 << 20] = 0;
    try (KeyReader reader =
        KeyReaders.open(
            new ByteArrayInputStream(bytes), "in", RecordFormat.LINES, KeySpec.WHOLE_RECORD)) {
      assertThatExceptionOfType(InputException.class)
          .isThrownBy(reader::next)
          .withMessageContaining("in, line 1 is longer than 67108864 bytes");
    }
  }
}
