package dev.unseen.io;

import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static dev.unseen.testing.Generators.strings;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.io.Cutting.Piece;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvCutterTest {
  /** What FastCSV reads is what we cut, up to the first record that it does not take. */
  @Property(tries = 20_000)
  void agrees_with_fastcsv_on_any_text(Choices choices) throws IOException {
    String text = choices.draw("text", csv());
    KeySpec key = choices.draw("key", keys());
    long arrival = choices.draw("arrival", longs());
    assertAgreesWithFastCsv(bytes(text), key, arrival);
  }

  @Property(tries = 5000)
  void loses_no_byte(Choices choices) {
    String text = choices.draw("text", csv());
    KeySpec key = choices.draw("key", keys());
    long arrival = choices.draw("arrival", longs());
    List<Piece> pieces = Cutting.pieces(cutter(key), bytes(text), arrival);
    assertThat(Cutting.text(pieces)).isEqualTo(text);
  }

  private static Generator<String> csv() {
    return strings("ab,,\"\"\"\n\n\r\u00e9", 30);
  }

  private static Generator<KeySpec> keys() {
    return oneOf(KeySpec.WHOLE_RECORD, KeySpec.of("1"), KeySpec.of("2"), KeySpec.of("2,1"));
  }

  @Test
  void a_header_is_told_with_its_columns_and_a_mark_before_it() {
    byte[] input = "\uFEFFid,\"a \"\"b\"\"\"\r\n1,x\n\n2,\"y\nz\"".getBytes(UTF_8);
    assertThat(Cutting.pieces(cutter(KeySpec.of("a \"b\"")), input, 3))
        .containsExactly(
            new Piece("mark", "\u00ef\u00bb\u00bf", ""),
            new Piece("header", "id,\"a \"\"b\"\"\"\r\n", "id|a \"b\""),
            new Piece("record", "1,x\n", "x"),
            new Piece("blank", "\n", ""),
            new Piece("record", "2,\"y\nz\"", "y\nz"));
  }

  @Test
  void a_bad_record_is_told_with_line_and_column_and_the_next_one_is_good() {
    String text = "id,n\n1,\"a\nb\"\n2\n3,\"x\"y\n\"4\nq\"z,1\n5,e\n6,\"open\nfor ever\n";
    assertThat(Cutting.pieces(cutter(KeySpec.of("n")), bytes(text), 5))
        .extracting(piece -> piece.what() + " " + piece.said())
        .containsExactly(
            "header id|n",
            "record a\nb",
            "bad 4:2 the record ends before column 2, which the key needs; add the column or leave the record out",
            "bad 5:6 the CSV does not parse: text stands behind a closing quote; a quote within quotes must be doubled",
            "bad 7:3 the CSV does not parse: text stands behind a closing quote; a quote within quotes must be doubled",
            "record e",
            "bad 9:3 the quote that opens here is never closed; close it");
  }

  @Test
  void a_column_that_the_header_lacks_is_refused() {
    assertThat(Cutting.pieces(cutter(KeySpec.of("nick")), bytes("id,name\n1,2\n"), 1))
        .containsExactly(new Piece("failure", "", "in has no column 'nick'; it has 2: id, name"));
  }

  @Test
  void utf16_is_refused() {
    assertThat(Cutting.pieces(cutter(KeySpec.of("1")), bytes("\u00ff\u00fei\0d\0\n\0"), 1))
        .containsExactly(
            new Piece(
                "failure", "", "in is UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8"));
  }

  @Test
  void separators_may_be_other_than_a_comma() {
    CutSpec spec = new CutSpec(KeySpec.of("2"), ';', false, Normal.NOTHING);
    assertThat(Cutting.keys(spec.cutter(RecordFormat.CSV, "in"), bytes("a,b;c\nd;\"e;f\"\n"), 1))
        .containsExactly("c", "e;f");
    assertThat(
            Cutting.keys(
                new CutSpec(KeySpec.of("2"), '\0', false, new Normal(true, true))
                    .cutter(RecordFormat.TSV, "in"),
                bytes("a\t B \nd\t\" b\"\n"),
                1))
        .containsExactly("b", "b");
  }

  /** The cutter's keys are FastCSV's, and it finds something bad if FastCSV does. */
  static void assertAgreesWithFastCsv(byte[] bytes, KeySpec key, long arrival) throws IOException {
    List<Piece> pieces = Cutting.pieces(cutter(key), bytes, arrival);
    List<String> expected = new ArrayList<>();
    boolean failed = false;
    try (KeyReader reader =
        KeyReaders.open(new ByteArrayInputStream(bytes), "in", RecordFormat.CSV, key)) {
      while (reader.next()) {
        expected.add(new String(reader.buffer(), reader.offset(), reader.length(), ISO_8859_1));
      }
    } catch (InputException e) {
      failed = true;
    }
    List<String> actual =
        pieces.stream()
            .takeWhile(piece -> !isRefused(piece))
            .filter(piece -> piece.what().equals("record"))
            .map(Piece::said)
            .toList();
    assertThat(actual).isEqualTo(expected);
    assertThat(pieces.stream().anyMatch(CsvCutterTest::isRefused)).isEqualTo(failed);
  }

  private static boolean isRefused(Piece piece) {
    return piece.what().equals("bad") || piece.what().equals("failure");
  }

  static RecordCutter cutter(KeySpec key) {
    return new CutSpec(key, '\0', false, Normal.NOTHING).cutter(RecordFormat.CSV, "in");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
