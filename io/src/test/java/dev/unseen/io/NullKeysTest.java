package dev.unseen.io;

import static dev.unseen.io.RecordFormat.CSV;
import static dev.unseen.io.RecordFormat.JSON;
import static dev.unseen.io.RecordFormat.JSONL;
import static dev.unseen.io.RecordFormat.TSV;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.io.Cutting.Piece;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key that is missing, null or empty identifies nothing, unless null is said to be a key. */
class NullKeysTest {
  private static final String REMEDY =
      "; give it a value or leave the record out, let null be a key (missing-as-null)";

  private static List<String> cut(RecordFormat format, RecordSpec spec, String text) {
    return Cutting.pieces(format.cutter(spec, "in"), text.getBytes(ISO_8859_1), 1).stream()
        .filter(piece -> !piece.what().equals("between"))
        .map(NullKeysTest::said)
        .toList();
  }

  private static String said(Piece piece) {
    return piece.what() + " " + piece.said();
  }

  private static RecordSpec spec(String key) {
    return RecordSpec.of(KeySpec.of(key));
  }

  @Test
  void rejects_null_in_json_and_keeps_texts_that_look_like_it() {
    String text =
        "{\"id\":null}\n{\"id\": null }\n{\"id\":\"null\"}\n{\"id\":\"\"}\n{\"id\":[null]}\n";
    String reason = " the field 'id', which is the key, is null" + REMEDY;
    assertThat(cut(JSONL, spec("id"), text))
        .containsExactly(
            "bad 1:7" + reason, "bad 2:8" + reason, "record null", "record ", "record [null]");
    assertThat(cut(JSON, spec("id"), "[{\"id\":\nnull},{\"id\":1}]"))
        .containsExactly("bad 2:1" + reason, "record 1");
  }

  /** Lines of a known shape are compared, not parsed. */
  @Test
  void rejects_null_in_lines_of_a_known_shape() {
    String text = "{\"id\":true,\"n\":1}\n".repeat(50) + "{\"id\":null,\"n\":1}\n".repeat(50);
    assertThat(cut(JSONL, spec("id"), text).stream().filter(said -> said.startsWith("bad")))
        .hasSize(50);
  }

  @Test
  void rejects_empty_columns() {
    String reason = " column 2, which is the key, is empty" + REMEDY;
    assertThat(cut(CSV, spec("2"), "a,\nb,\"\"\nc,\" \"\n"))
        .containsExactly("bad 1:3" + reason, "bad 2:4" + reason, "record  ");
    assertThat(cut(TSV, spec("2").withNormal(new KeyNormalization(false, true)), "a\t \r\nb\tx\n"))
        .containsExactly("bad 1:3" + reason, "record x");
  }

  @Test
  void counts_keys_that_are_missing_null_or_empty_whether_they_are_rejected_or_not()
      throws InputException {
    for (boolean isKey : new boolean[] {false, true}) {
      assertThat(nulls(CSV, spec("2").withMissingAsNull(isKey), "a\nb,\nc,d\n,e\n\n")).isEqualTo(2);
      assertThat(nulls(CSV, spec("1,2").withMissingAsNull(isKey), ",\n,a\n")).isEqualTo(1);
      String text = "{}\n{\"id\":null}\n{\"id\":1}\n{\"id\":\"\"}\n";
      assertThat(nulls(JSONL, spec("id").withMissingAsNull(isKey), text)).isEqualTo(2);
      RecordSpec timed = spec("id").withMissingAsNull(isKey).withTime("at");
      assertThat(nulls(JSONL, timed, "{\"id\":1}\n")).isZero();
    }
  }

  private static int nulls(RecordFormat format, RecordSpec spec, String text)
      throws InputException {
    return Cutting.nullKeys(format.cutter(spec, "in"), text.getBytes(ISO_8859_1));
  }

  @Test
  void accepts_several_fields_if_one_of_them_is_not_null() {
    String text = "{\"a\":null,\"b\":1}\n{\"a\":null,\"b\":null}\n";
    assertThat(cut(JSONL, spec("a,b"), text))
        .containsExactly(
            "record \0\0\0\4null\0\0\0\0011", "bad 2:6 all fields of the key are null" + REMEDY);
    assertThat(cut(CSV, spec("1-2"), ",b\n,\n"))
        .containsExactly(
            "record \0\0\0\0\0\0\0\1b", "bad 2:2 all columns of the key are empty" + REMEDY);
  }

  @Test
  void accepts_null_as_a_key_if_asked() {
    assertThat(cut(JSONL, spec("id").withMissingAsNull(true), "{\"id\":null}\n{}\n{\"id\":1}\n"))
        .containsExactly("record null", "record null", "record 1");
    assertThat(cut(CSV, spec("2").withMissingAsNull(true), "a,\nb\n"))
        .containsExactly("record ", "record ");
  }

  @Test
  void does_not_mind_empty_columns_of_whole_records() {
    assertThat(cut(CSV, RecordSpec.WHOLE_RECORDS, ",\n"))
        .containsExactly("record \0\0\0\0\0\0\0\0");
  }

  @Test
  void rejects_a_null_key_of_a_single_value() {
    JsonKey key = new JsonKey(spec("id"));
    assertThat(key.find("{\"id\":null}".getBytes(UTF_8))).isFalse();
    assertThat(key.trouble()).contains("'id', which is the key, is null");
    assertThat(new JsonKey(spec("id").withMissingAsNull(true)).find("{}".getBytes(UTF_8))).isTrue();
  }
}
