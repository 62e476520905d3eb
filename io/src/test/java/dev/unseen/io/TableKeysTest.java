package dev.unseen.io;

import static dev.unseen.io.Reading.drops;
import static dev.unseen.io.Reading.keys;
import static dev.unseen.io.Reading.utf8;
import static dev.unseen.io.RecordFormat.CSV;
import static dev.unseen.io.RecordFormat.TSV;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.strings;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableKeysTest {
  private static final String PEOPLE =
      "id,name,born\n1,\"Doe, J.\",1990\n2,\"say \"\"hi\"\"\",1991\n";

  @Test
  void a_column_is_named_or_numbered() throws IOException {
    assertThat(keys(PEOPLE, CSV, KeySpec.of("name"))).containsExactly("Doe, J.", "say \"hi\"");
    assertThat(keys(PEOPLE, CSV, KeySpec.of("3"))).containsExactly("born", "1990", "1991");
    assertThat(keys(PEOPLE, CSV, KeySpec.of("3").withHeader(false)))
        .containsExactly("born", "1990", "1991");
    assertThat(keys(PEOPLE, CSV, KeySpec.of("3").withHeader(true))).containsExactly("1990", "1991");
  }

  @Test
  void columns_make_a_composite_in_the_order_of_the_key_not_of_the_file() throws IOException {
    List<String> one = keys("a,b,c\n1,2,3\n", CSV, KeySpec.of("c,a"));
    List<String> other = keys("c,a\n3,1\n", CSV, KeySpec.of("c,a"));
    assertThat(one).isEqualTo(other).containsExactly("\0\0\0\0013\0\0\0\0011");
    assertThat(keys("1,2,3,4\n", CSV, KeySpec.of("2,3-4")))
        .containsExactly("\0\0\0\0012\0\0\0\0013\0\0\0\0014");
  }

  @Test
  void a_column_that_is_named_twice_in_the_key_counts_once() throws IOException {
    assertThat(keys(PEOPLE, CSV, KeySpec.of("born,3"))).containsExactly("1990", "1991");
  }

  @Test
  void the_whole_record_is_all_columns_however_they_are_quoted() throws IOException {
    List<String> rows =
        keys("a,b\n\"a\",\"b\"\r\nab,\n,ab\nab\n\"a,b\"\n", CSV, KeySpec.WHOLE_RECORD);
    assertThat(rows.get(0)).isEqualTo(rows.get(1));
    assertThat(rows).hasSize(6);
    assertThat(rows.stream().distinct()).hasSize(5);
    assertThat(keys(PEOPLE, CSV, KeySpec.WHOLE_RECORD)).hasSize(3);
    assertThat(keys(PEOPLE, CSV, KeySpec.WHOLE_RECORD.withHeader(true))).hasSize(2);
  }

  @Test
  void a_field_cannot_pose_as_two() throws IOException {
    List<String> rows = keys("a,b\n\"\0\0\0\1a\0\0\0\1b\"\n", CSV, KeySpec.WHOLE_RECORD);
    assertThat(rows.get(0)).isNotEqualTo(rows.get(1));
  }

  @Test
  void a_record_may_have_many_columns() throws IOException {
    assertThat(keys("x,".repeat(999) + "y\n", CSV, KeySpec.WHOLE_RECORD))
        .containsExactly("\0\0\0\1x".repeat(999) + "\0\0\0\1y");
  }

  @Test
  void bytes_that_are_not_utf8_stay_what_they_are() throws IOException {
    assertThat(keys("id\n\u00E9\n\u00E8\n", CSV, KeySpec.of("id")))
        .containsExactly("\u00E9", "\u00E8");
  }

  @Test
  void a_name_in_utf8_is_found_and_a_byte_order_mark_is_no_part_of_it() throws IOException {
    assertThat(keys(utf8("\uFEFFgrö\u00DFe,x\n7,8\n"), CSV, KeySpec.of("grö\u00DFe")))
        .containsExactly("7");
  }

  @Test
  void a_backslash_makes_a_name_of_a_number_or_a_comma() throws IOException {
    String table = "\"a,b\",2024,x\n1,2,3\n";
    assertThat(keys(table, CSV, KeySpec.of("\\2024"))).containsExactly("2");
    assertThat(keys(table, CSV, KeySpec.of("a\\,b"))).containsExactly("1");
  }

  @Test
  void tabs_part_the_columns_of_tsv() throws IOException {
    assertThat(keys("id\tx\na,b\t\"c\td\"\n", TSV, KeySpec.of("id"))).containsExactly("a,b");
    assertThat(keys("id\tx\na,b\t\"c\td\"\n", TSV, KeySpec.of("x"))).containsExactly("\"c");
  }

  @Test
  void empty_lines_are_no_records() throws IOException {
    assertThat(keys("\nid\n\n1\n\r\n2\n\n", CSV, KeySpec.of("id"))).containsExactly("1", "2");
  }

  /** Cells of all that matters to CSV, and of bytes beyond ASCII. */
  private static Generator<List<List<String>>> tables() {
    Generator<String> cell = strings(",\"\n\r\t ab\0\u0080\u00E9\u00FF", 6);
    return choices -> {
      int width = choices.draw(ints(2, 5));
      return choices.draw(lists(lists(cell, width, width), 1, 8));
    };
  }

  @Property
  void every_cell_comes_back_as_it_was_written(Choices choices) throws IOException {
    List<List<String>> table = choices.draw("table", tables());
    long seed = choices.draw("seed", longs());
    int most = choices.draw("most", ints(1, 20));
    byte[] file = write(table, ',', new Random(seed)).getBytes(ISO_8859_1);
    for (int column = 1; column <= table.get(0).size(); column++) {
      int place = column - 1;
      KeySpec key = KeySpec.of(Integer.toString(column));
      RecordSpec spec = RecordSpec.of(key).withMissingAsNull(true); // an empty one is a key
      assertThat(keys(KeyReader.of(drops(file, seed, most), "in", CSV, spec)))
          .isEqualTo(table.stream().map(row -> row.get(place)).toList());
    }
  }

  private static String write(List<List<String>> table, char separator, Random random) {
    StringBuilder text = new StringBuilder();
    for (List<String> row : table) {
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        boolean quoted = random.nextInt(4) == 0 || cell.matches("(?s).*[,\"\n\r\t].*");
        text.append(i > 0 ? String.valueOf(separator) : "")
            .append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
      }
      text.append(random.nextBoolean() ? "\n" : "\r\n");
    }
    return text.toString();
  }

  @Test
  void a_column_that_is_not_there_is_reported_with_those_that_are() {
    assertFailure(PEOPLE, "nam", "in has no column 'nam'; it has 3: id, name, born");
    assertFailure(PEOPLE, "id,4", "in has no column '4'; it has 3: id, name, born");
    assertFailure(
        "a,id,b,id\n", "id", "in has more than one column 'id': 2 and 4; give the number instead");
  }

  @Test
  void a_column_that_looks_like_several_is_reported_with_its_separator() {
    assertFailure(
        "id;name\n",
        "id",
        "in has no column 'id'; it has 1: id;name; if ';' separates the columns, add -t ';'");
    assertFailure(
        "id\tname\n",
        "id",
        "in has no column 'id'; it has 1: id\tname; if '\\t' separates the columns, add -t '\\t'");
  }

  @Test
  void very_many_columns_are_reported_in_part() {
    String header = "abcdefghi,".repeat(1000) + "z";
    assertFailure(
        header + "\n",
        "id",
        "in has no column 'id'; it has 1001: "
            + header.replace(",", ", ").substring(0, 500)
            + "...");
  }

  @Test
  void a_record_without_the_key_is_reported_with_its_line() {
    assertFailure(
        "id,name\n1,\"x\ny\"\n2\n",
        "name",
        "in, line 4, column 2: the record ends before column 2, which the key needs; add the column or leave the record out");
    assertFailure(
        "1,2\n3,4,5\n",
        "3",
        "in, line 1, column 4: the record ends before column 3, which the key needs; add the column or leave the record out");
  }

  @Test
  void a_quote_that_is_never_closed_is_reported_with_its_line() {
    assertFailure(
        "id,name\n1,x\n2,\"y\n3,z\n",
        "id",
        "in, line 3, column 3: the quote that opens here is never closed; close it");
  }

  @Test
  void text_after_a_quote_is_reported_with_its_line() {
    assertFailure(
        "id,name\n1,\"x\"y\n",
        "id",
        "in, line 2, column 6: the CSV does not parse: text follows a closing quote; a quote within quotes must be doubled");
  }

  @Test
  void utf16_is_rejected() {
    assertFailure(
        "\u00FF\u00FEi\0d\0",
        "id",
        "in is UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8");
  }

  private static void assertFailure(String text, String key, String message) {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys(text, CSV, KeySpec.of(key)))
        .withMessage(message);
  }
}
