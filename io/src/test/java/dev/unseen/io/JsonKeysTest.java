package dev.unseen.io;

import static dev.unseen.io.Reading.drops;
import static dev.unseen.io.Reading.keys;
import static dev.unseen.io.Reading.utf8;
import static dev.unseen.io.RecordFormat.JSONL;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.lists;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.strings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonKeysTest {
  @Test
  void numbers_and_text_are_the_same_key_if_they_read_the_same() throws IOException {
    assertThat(
            keys(
                "{\"id\":1,\"a\":2}\n{\"a\":3,\"id\":1}\n{\"id\":\"1\"}\n",
                JSONL,
                KeySpec.of("id")))
        .containsExactly("1", "1", "1");
  }

  @Test
  void a_literal_is_its_text_as_written() throws IOException {
    assertThat(
            keys(
                """
                {"v":-1.50e+3}
                {"v":123456789012345678901234567890}
                {"v":true}
                {"v":false}
                {"v":"null"}
                {"v":""}
                {"v":"\\u00e9\\n\\ud83d\\ude00"}
                """,
                JSONL,
                KeySpec.of("v")))
        .containsExactly(
            "-1.50e+3",
            "123456789012345678901234567890",
            "true",
            "false",
            "null",
            "",
            utf8("é\n\uD83D\uDE00"));
  }

  @ParameterizedTest
  @CsvSource({
    "user.name, Ann",
    "items.0.id, 7",
    "items.1, x",
    "a\\.b, dot",
    "a.b, deep",
    "3.0, number",
    "'c\\,d', comma"
  })
  void a_path_goes_into_objects_and_arrays(String path, String expected) throws IOException {
    String record =
        """
        {"name":"no","user":{"id":[{"name":1}],"name":"Ann"},"items":[{"x":1,"id":7},"x"],\
        "a.b":"dot","a":{"b":"deep"},"3":{"0":"number"},"c,d":"comma"}
        """;
    assertThat(keys(record, JSONL, KeySpec.of(path))).containsExactly(expected);
  }

  @Test
  void several_paths_make_a_composite_in_the_order_of_the_key() throws IOException {
    assertThat(
            keys(
                "{\"a\":\"x\",\"b\":\"yz\"}\n{\"b\":\"yz\",\"a\":\"x\"}\n{\"a\":\"xy\",\"b\":\"z\"}",
                JSONL,
                KeySpec.of("b,a,b")))
        .containsExactly("\0\0\0\2yz\0\0\0\1x", "\0\0\0\2yz\0\0\0\1x", "\0\0\0\1z\0\0\0\2xy");
  }

  @Test
  void the_last_of_two_fields_with_one_name_counts() throws IOException {
    assertThat(keys("{\"id\":1,\"id\":2}\n", JSONL, KeySpec.of("id"))).containsExactly("2");
  }

  @Test
  void blank_lines_are_no_records_and_a_byte_order_mark_is_skipped() throws IOException {
    assertThat(keys(utf8("\uFEFF\n{\"id\":1}\r\n \t\r\n\n{\"id\":2}"), JSONL, KeySpec.of("id")))
        .containsExactly("1", "2");
  }

  @Test
  void without_a_key_it_is_the_line() throws IOException {
    assertThat(keys("{\"id\":1}\n{\"id\": 1}\n", JSONL, KeySpec.WHOLE_RECORD))
        .containsExactly("{\"id\":1}", "{\"id\": 1}");
  }

  @Property
  void text_comes_back_however_it_was_escaped(Choices choices) throws IOException {
    List<String> values = choices.draw("values", lists(strings(), 1, 10));
    long seed = choices.draw("seed", longs());
    int most = choices.draw("most", ints(1, 40));
    Random random = new Random(seed);
    StringBuilder file = new StringBuilder();
    for (String value : values) {
      String field = "\"id\" : " + quote(value, random);
      String other = "\"x\":{\"id\":" + quote(value + "!", random) + "}";
      file.append(random.nextBoolean() ? "{" + field + "," + other : "{" + other + "," + field)
          .append("}\n");
    }
    byte[] bytes = file.toString().getBytes(UTF_8);
    assertThat(
            keys(
                KeyReader.of(
                    drops(bytes, seed, most), "in", JSONL, RecordSpec.of(KeySpec.of("id")))))
        .isEqualTo(values.stream().map(Reading::utf8).toList());
  }

  private static String quote(String value, Random random) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean pair = Character.isSurrogate(c);
      if (c < ' ' || c == '"' || c == '\\' || (!pair && random.nextInt(3) == 0)) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":1|in, line 3, column 8: the JSON does not parse: it ends too early; correct the line or leave it out",
        "{\"id\":}|in, line 3, column 7: the JSON does not parse: there is '}' where a value must be; correct the line or leave it out",
        "{\"x\":[{]}|in, line 3, column 8: the JSON does not parse: there is ']' where a name in double quotes must be; correct the line or leave it out",
        "{\"id\":1} 2|in, line 3, column 10: there is more than one JSON value in the line; put each on a line of its own, or choose format json",
        "{\"x\":1}|in, line 3, column 1: the record has no field 'id', which is the key; add it or leave the record out",
        "{\"x\":{\"id\":1}}|in, line 3, column 1: the record has no field 'id', which is the key; add it or leave the record out",
        "7|in, line 3, column 1: the record has no field 'id', which is the key; add it or leave the record out",
        "{\"id\":1,}|in, line 3, column 9: the JSON does not parse: there is '}' where a name in double quotes must be; correct the line or leave it out",
        "{\"id\":01}|in, line 3, column 7: the JSON does not parse: a number must not begin with 0; correct the line or leave it out",
        "{\"id\":\"\\q\"}|in, line 3, column 9: the JSON does not parse: there is no escape \\q; correct the line or leave it out",
        "{\"id\":\"a\tb\"}|in, line 3, column 9: the JSON does not parse: byte 0x09 in a string must be written as \\u0009; correct the line or leave it out",
      })
  void a_bad_record_is_reported_with_line_and_column(String record, String message) {
    for (String newline : List.of("", "\n", "\r\n")) {
      assertThatExceptionOfType(InputException.class)
          .isThrownBy(() -> keys("{\"id\":1}\n\n" + record + newline, JSONL, KeySpec.of("id")))
          .withMessage(message);
    }
  }

  @Test
  void bytes_that_are_not_utf8_are_reported() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys("{\"id\":\"\u00E9\"}\n", JSONL, KeySpec.of("id")))
        .withMessage(
            "in, line 1, column 8: the JSON does not parse: byte 0xe9 is not UTF-8; correct the line or leave it out");
  }

  @Test
  void values_within_too_many_others_are_reported() {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> keys("[".repeat(1001) + "]".repeat(1001), JSONL, KeySpec.of("id")))
        .withMessageMatching(
            "in, line 1, column 1001: the JSON does not parse: the values are nested more than 1,000 deep; .*");
  }

  /** Overlong forms, halves of pairs and numbers beyond Unicode are never taken for other text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u00c1\u00a1",
        "\u00ff",
        "\u00e0\u0080\u00af",
        "\u00ed\u00a0\u0080",
        "\u00f4\u0090\u0080\u0080",
        "\u00c3",
        "\u0080"
      })
  void malformed_utf8_is_rejected_in_values_and_names_whether_they_are_wanted_or_not(String bad) {
    for (String record :
        List.of(
            "{\"id\":\"" + bad + "\"}",
            "{\"" + bad + "id\":1,\"id\":1}",
            "{\"id\":1,\"x\":\"" + bad + "\"}")) {
      assertThatExceptionOfType(InputException.class)
          .isThrownBy(() -> keys(record, JSONL, KeySpec.of("id")))
          .withMessageContaining("is not UTF-8");
    }
  }

  @Test
  void a_missing_field_is_null_if_asked() throws IOException {
    RecordSpec spec = RecordSpec.of(KeySpec.of("id,x")).withMissingAsNull(true);
    byte[] json = "{\"id\":1}\n{\"id\":1,\"x\":null}\n7\n".getBytes(UTF_8);
    assertThat(keys(KeyReader.of(drops(json, 1, 9), "in", JSONL, spec)))
        .containsExactly(
            "\0\0\0\1" + "1" + "\0\0\0\4null",
            "\0\0\0\1" + "1" + "\0\0\0\4null",
            "\0\0\0\4null\0\0\0\4null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\\n \"id\":1\\n}|1:2 the JSON does not end in its line; choose format json if it goes over several lines",
        "[\\r\\n{\"id\":1}]|1:2 the JSON does not end in its line; choose format json if it goes over several lines",
        "[{\"id\":1},{\"id\":2}]|1:1 the line is a JSON array, which has no field 'id', the key; choose format json if its values are the records",
      })
  void json_of_another_format_is_reported_with_its_name(String text, String message) {
    byte[] json = text.replace("\\n", "\n").replace("\\r", "\r").getBytes(UTF_8);
    assertThat(Cutting.pieces(JSONL.cutter(RecordSpec.of(KeySpec.of("id")), "in"), json, 1))
        .extracting(Cutting.Piece::said)
        .startsWith(message);
  }

  @Test
  void a_time_is_reported_where_it_is_and_what_it_lacks() {
    RecordSpec spec = RecordSpec.of(KeySpec.of("id")).withTime("at");
    String json = "{\"id\":1,\"at\":5}\n{\"id\":1,\"at\":1e400}\n{\"id\":1}\n{\"at\":1}\n";
    assertThat(Cutting.pieces(JSONL.cutter(spec, "in"), json.getBytes(UTF_8), 1))
        .extracting(Cutting.Piece::said)
        .containsExactly(
            "1@5000",
            "2:14 time '1e400' is neither a number of seconds or milliseconds since 1970 nor a date such as 2026-11-15T22:51:00Z; correct it or leave the record out",
            "3:1 the record has no field 'at', which is the time; add it or leave the record out",
            "4:1 the record has no field 'id', which is the key; add it or leave the record out");
    RecordSpec both = RecordSpec.of(KeySpec.of("at")).withTime("at");
    assertThat(Cutting.pieces(JSONL.cutter(both, "in"), "{\"at\":5}".getBytes(UTF_8), 1))
        .extracting(Cutting.Piece::said)
        .containsExactly("5@5000");
  }

  @Test
  void a_long_text_is_read() throws IOException {
    String text = "x".repeat(30 << 20); // beyond what the parser allows by default
    assertThat(keys("{\"id\":\"" + text + "\"}\n", JSONL, KeySpec.of("id")).get(0).length())
        .isEqualTo(text.length());
  }
}
