package dev.unseen.io;

import static dev.unseen.testing.Generators.ints;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableCutterTest {
  /** What FastCSV reads is what we cut, up to the first record that it does not take. */
  @Property(tries = 20_000)
  void agrees_with_fastcsv_on_any_text(Choices choices) {
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
  void a_header_is_reported_with_its_columns_and_a_mark_before_it() {
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
  void a_bad_record_is_reported_with_line_and_column_and_the_next_one_is_good() {
    String text = "id,n\n1,\"a\nb\"\n2\n3,\"x\"y\n\"4\nq\"z,1\n5,e\n6,\"open\nfor ever\n";
    assertThat(Cutting.pieces(cutter(KeySpec.of("n")), bytes(text), 5))
        .extracting(piece -> piece.what() + " " + piece.said())
        .containsExactly(
            "header id|n",
            "record a\nb",
            "bad 4:2 the record ends before column 2, which the key needs; add the column or leave the record out",
            "bad 5:6 the CSV does not parse: text follows a closing quote; a quote within quotes must be doubled",
            "bad 6:1 the CSV does not parse: the quote that opens here closes in a later line, where text follows it; close it in its place, or double the quotes within it",
            "record 1",
            "record e",
            "bad 9:3 the quote that opens here is never closed; close it",
            "bad 10:9 the record ends before column 2, which the key needs; add the column or leave the record out");
  }

  /** Each line but that of the quote is what it would be without it. */
  @Property(tries = 5000)
  void a_stray_quote_spoils_its_own_line_only(Choices choices) {
    List<String> lines = new ArrayList<>();
    int count = choices.draw("lines", ints(1, 12));
    for (int i = 0; i < count; i++) {
      lines.add(
          choices.draw(
              oneOf("1,b\n", "\"2\",b\r\n", "3,\"\",c\n", "4,\"b\"\"\",c\n", "\n", "5,x\"y\n")));
    }
    int stray = choices.draw("stray", ints(0, count));
    long arrival = choices.draw("arrival", longs());
    List<Piece> expected = new ArrayList<>();
    expected.addAll(
        Cutting.pieces(
            cutter(KeySpec.of("1")), bytes(String.join("", lines.subList(0, stray))), 1));
    expected.add(new Piece("bad", "9,\"oops\n", ""));
    expected.addAll(
        Cutting.pieces(
            cutter(KeySpec.of("1")), bytes(String.join("", lines.subList(stray, count))), 1));
    lines.add(stray, "9,\"oops\n");
    List<Piece> actual =
        Cutting.pieces(cutter(KeySpec.of("1")), bytes(String.join("", lines)), arrival);
    assertThat(actual)
        .map(piece -> piece.what().equals("bad") ? new Piece("bad", piece.text(), "") : piece)
        .isEqualTo(expected);
  }

  @Test
  void the_line_of_a_later_record_is_right_after_a_stray_quote() {
    String text = "\"a\nb\",\"c\nd\ne\nf,\"g\nh\"i,\"j\"k\n";
    assertThat(Cutting.pieces(cutter(KeySpec.of("1")), bytes(text), 1))
        .extracting(piece -> piece.what() + " " + piece.text() + piece.said().replaceAll(" .*", ""))
        .containsExactly(
            "bad \"a\nb\",\"c\n2:4",
            "record d\nd",
            "record e\ne",
            "bad f,\"g\n5:3",
            "bad h\"i,\"j\"k\n6:8");
  }

  @Test
  void a_column_that_the_header_lacks_is_rejected() {
    assertThat(Cutting.pieces(cutter(KeySpec.of("nick")), bytes("id,name\n1,2\n"), 1))
        .containsExactly(new Piece("failure", "", "in has no column 'nick'; it has 2: id, name"));
  }

  @Test
  void utf16_is_rejected() {
    assertThat(Cutting.pieces(cutter(KeySpec.of("1")), bytes("\u00ff\u00fei\0d\0\n\0"), 1))
        .containsExactly(
            new Piece(
                "failure", "", "in is UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8"));
  }

  @Test
  void separators_may_be_other_than_a_comma() {
    assertThat(keys(RecordFormat.CSV, "2", columns(";"), "a,b;c\nd;\"e;f\"\n"))
        .containsExactly("c", "e;f");
    RecordSpec normal =
        RecordSpec.of(KeySpec.of("2"))
            .withNormal(new KeyNormalization(true, true))
            .withColumns(quoted("\t"));
    assertThat(Cutting.keys(RecordFormat.TSV.cutter(normal, "in"), bytes("a\t B \nd\t\" b\"\n"), 1))
        .containsExactly("b", "b");
  }

  @Test
  void separators_may_have_several_characters() {
    assertThat(keys(RecordFormat.TSV, "2", columns("::"), "a:b::c:::d\n1::2::3\nx::y"))
        .containsExactly("c", "2", "y");
    assertThat(keys(RecordFormat.CSV, "2", columns("||"), "\"a||b\"||c|d\n|||x\n"))
        .containsExactly("c|d", "|x");
  }

  @Test
  void without_quotes_a_quote_is_a_byte_and_a_newline_ends_a_row() {
    String text = "1\tx\n1\t\"a\n2\tb\n3\tc\"\n4\t\"d\" e\r\n5\ta\rb\n6\t\u00ffc\u00ff\n";
    assertThat(keys(RecordFormat.TSV, "2", ColumnSpec.OF_FORMAT, text))
        .containsExactly("x", "\"a", "b", "c\"", "\"d\" e", "a\rb", "\u00ffc\u00ff");
    ColumnSpec single = new ColumnSpec("", '\'', false);
    assertThat(keys(RecordFormat.CSV, "1", single, "'a,''b\n'\n\"c\n"))
        .containsExactly("a,'b\n", "\"c");
    ColumnSpec none = new ColumnSpec("", ColumnSpec.NO_QUOTE, false);
    assertThat(keys(RecordFormat.CSV, "1", none, "\"a,b\"\n")).containsExactly("\"a");
  }

  @Test
  void columns_between_runs_of_blanks_are_those_of_awk() {
    ColumnSpec blanks = new ColumnSpec("", ColumnSpec.FORMAT_QUOTE, true);
    String text = "a  b\tc\n  d \t e  \r\n\nf g\n \t \nh  i";
    assertThat(Cutting.pieces(cutter(RecordFormat.TSV, KeySpec.of("2"), blanks), bytes(text), 2))
        .containsExactly(
            new Piece("record", "a  b\tc\n", "b"),
            new Piece("record", "  d \t e  \r\n", "e"),
            new Piece("blank", "\n", ""),
            new Piece("record", "f g\n", "g"),
            new Piece("blank", " \t \n", ""),
            new Piece("record", "h  i", "i"));
  }

  @Test
  void a_range_may_be_open() {
    assertThat(keys(RecordFormat.CSV, "2-", ColumnSpec.OF_FORMAT, "a,b,c\nx,b,c\ny,b\n"))
        .containsExactly("\0\0\0\1b\0\0\0\1c", "\0\0\0\1b\0\0\0\1c", "\0\0\0\1b");
    assertThat(keys(RecordFormat.CSV, "1,3-", ColumnSpec.OF_FORMAT, "a,b,c\n"))
        .containsExactly("\0\0\0\1a\0\0\0\1c");
    assertThat(
            Cutting.pieces(
                cutter(RecordFormat.CSV, KeySpec.of("3-"), ColumnSpec.OF_FORMAT),
                bytes("a,b\n"),
                1))
        .extracting(Piece::said)
        .containsExactly(
            "1:4 the record ends before column 3, which the key needs; add the column or leave the record out");
  }

  @Test
  void a_missing_column_is_empty_if_asked() {
    RecordSpec spec = RecordSpec.of(KeySpec.of("1,3")).withMissingAsNull(true);
    assertThat(Cutting.keys(RecordFormat.CSV.cutter(spec, "in"), bytes("a,b,c\nd\n"), 1))
        .containsExactly("\0\0\0\1a\0\0\0\1c", "\0\0\0\1d\0\0\0\0");
  }

  @Test
  void a_time_is_read_and_its_trouble_reported_where_it_is() {
    RecordSpec spec = RecordSpec.of(KeySpec.of("id")).withTime("at");
    String text = "id,at\n1,5\n2,\"1970-01-01\"\n3,1e400\n4\n";
    assertThat(Cutting.pieces(RecordFormat.CSV.cutter(spec, "in"), bytes(text), 1))
        .extracting(Piece::said)
        .containsExactly(
            "id|at",
            "1@5000",
            "2",
            "4:3 time '1e400' is neither a number of seconds or milliseconds since 1970 nor a date such as 2026-11-15T22:51:00Z; correct it or leave the record out",
            "5:2 the record ends before column 2, which the time needs; add the column or leave the record out");
    RecordSpec absent = RecordSpec.of(KeySpec.of("id")).withTime("when");
    assertThat(Cutting.pieces(RecordFormat.CSV.cutter(absent, "in"), bytes(text), 1))
        .extracting(Piece::said)
        .containsExactly("in has no time column 'when'; it has 2: id, at");
  }

  private static ColumnSpec columns(String separator) {
    return new ColumnSpec(separator, ColumnSpec.FORMAT_QUOTE, false);
  }

  private static ColumnSpec quoted(String separator) {
    return new ColumnSpec(separator, '"', false);
  }

  private static List<String> keys(
      RecordFormat format, String key, ColumnSpec columns, String text) {
    return Cutting.keys(cutter(format, KeySpec.of(key), columns), bytes(text), text.length());
  }

  private static RecordCutter cutter(RecordFormat format, KeySpec key, ColumnSpec columns) {
    return format.cutter(RecordSpec.of(key).withColumns(columns), "in");
  }

  /** The cutter's keys are FastCSV's, and it finds something bad if FastCSV does. */
  static void assertAgreesWithFastCsv(byte[] bytes, KeySpec key, long arrival) {
    List<Piece> pieces = Cutting.pieces(cutter(key), bytes, arrival);
    FastCsv expected = new FastCsv(bytes);
    List<String> keys = new ArrayList<>();
    boolean failed = expected.failed;
    boolean header = key.fields().contains("a");
    int place = -1;
    for (List<String> row : expected.rows) {
      if (header) {
        header = false;
        place = row.indexOf("a");
        if (place < 0 || row.lastIndexOf("a") != place) {
          failed = true;
          break;
        }
        continue;
      }
      String found = key(row, key, place);
      if (found == null) {
        failed = true;
        break;
      }
      keys.add(found);
    }
    List<String> actual =
        pieces.stream()
            .takeWhile(piece -> !isRejected(piece))
            .filter(piece -> piece.what().equals("record"))
            .map(Piece::said)
            .toList();
    assertThat(actual).isEqualTo(keys);
    assertThat(pieces.stream().anyMatch(TableCutterTest::isRejected)).isEqualTo(failed);
  }

  private static String key(List<String> row, KeySpec key, int named) {
    List<Integer> places = new ArrayList<>();
    for (String field : key.fields()) {
      places.add(field.equals("a") ? named : Integer.parseInt(field) - 1);
    }
    if (places.stream().anyMatch(place -> place >= row.size())) {
      return null;
    }
    List<String> parts = places.isEmpty() ? row : places.stream().map(row::get).toList();
    if (!places.isEmpty() && parts.stream().allMatch(String::isEmpty)) {
      return null; // it has columns, and nothing is in them
    }
    if (places.size() == 1) {
      return parts.get(0);
    }
    StringBuilder composite = new StringBuilder();
    for (String part : parts) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        composite.append((char) (part.length() >> shift & 0xFF));
      }
      composite.append(part);
    }
    return composite.toString();
  }

  private static boolean isRejected(Piece piece) {
    return piece.what().equals("bad") || piece.what().equals("failure");
  }

  static RecordCutter cutter(KeySpec key) {
    return RecordFormat.CSV.cutter(RecordSpec.of(key), "in");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
