package dev.unseen.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.unseen.io.KeySpec.Header;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySpecTest {
  @Test
  void has_fields_between_commas() {
    assertThat(KeySpec.of("id,user.name,2,4-5").fields())
        .containsExactly("id", "user.name", "2", "4-5");
    assertThat(KeySpec.of("id").isWholeRecord()).isFalse();
    assertThat(KeySpec.WHOLE_RECORD.isWholeRecord()).isTrue();
  }

  @Test
  void a_backslash_keeps_a_comma_within_a_field() {
    assertThat(KeySpec.of("a\\,b,c\\\\,d").fields()).containsExactly("a\\,b", "c\\\\", "d");
    assertThat(KeySpec.unescape("a\\,b\\\\c")).isEqualTo("a,b\\c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ",", "id,", ",id", "a,,b", "a, ,b"})
  void an_empty_field_is_rejected(String fields) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeySpec.of(fields))
        .withMessage(
            "key '%s' has an empty field; name fields such as id, user.name or 2,4-5", fields);
  }

  @Test
  void says_whether_there_is_a_header() {
    assertThat(KeySpec.of("1").header()).isEqualTo(Header.AUTO);
    assertThat(KeySpec.of("1").withHeader(true).header()).isEqualTo(Header.PRESENT);
    assertThat(KeySpec.WHOLE_RECORD.withHeader(false).header()).isEqualTo(Header.ABSENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lines|id|key 'id' needs format csv, tsv, jsonl or json; format lines has no fields",
        "int32be|1,2|key '1,2' needs format csv, tsv, jsonl or json; format int32be has no fields",
        "csv|0|column 0 must be from 1 to 99999",
        "csv|1-100000|column 100000 must be from 1 to 99999",
        "tsv|5-4|columns '5-4' must go up, as in 4-5",
        "jsonl|a..b|key 'a..b' has an empty name between dots; write it as user.name",
        "jsonl|a.|key 'a.' has an empty name between dots; write it as user.name",
      })
  void what_a_format_cannot_have_is_rejected_before_the_file_is_touched(
      String format, String fields, String message) {
    Path nowhere = Path.of("nowhere");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                KeyReader.open(nowhere, RecordFormat.of(format), RecordSpec.of(KeySpec.of(fields)))
                    .close())
        .withMessage(message);
  }

  @Test
  void names_of_columns_are_rejected_where_there_is_no_header() {
    KeySpec key = KeySpec.of("1,id").withHeader(false);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KeyReader.open(Path.of("nowhere"), RecordFormat.CSV, RecordSpec.of(key)).close())
        .withMessage("column 'id' is a name, which needs a header; give its number instead");
  }
}
