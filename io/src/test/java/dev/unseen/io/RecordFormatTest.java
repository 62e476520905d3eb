package dev.unseen.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RecordFormatTest {
  @ParameterizedTest
  @EnumSource
  void is_found_by_its_id_in_any_case(RecordFormat format) {
    assertThat(RecordFormat.of(format.id())).isEqualTo(format);
    assertThat(RecordFormat.of(format.id().toUpperCase(Locale.ROOT))).isEqualTo(format);
  }

  @Test
  void ndjson_is_another_name_of_jsonl() {
    assertThat(RecordFormat.of("ndjson")).isEqualTo(RecordFormat.JSONL);
    assertThat(RecordFormat.of("NDJSON")).isEqualTo(RecordFormat.JSONL);
  }

  @Test
  void an_unknown_id_is_rejected_with_the_known_ones() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormat.of("jsn"))
        .withMessage(
            "format 'jsn' is unknown; known: lines, csv, tsv, jsonl, json, int32be, int64be");
  }

  @ParameterizedTest
  @CsvSource({
    "a.csv, CSV",
    "a.CSV.gz, CSV",
    "dir.csv/a.tsv.xz, TSV",
    "a.jsonl.zst, JSONL",
    "a.ndjson, JSONL",
    "a.csv.bz2, CSV",
    "a.json.lz4, JSON",
    "a.csv.zip, LINES",
    "a.gz.csv.gz, CSV",
    "a.csv/b, LINES",
    "csv, LINES",
    "a.json, JSON"
  })
  void is_guessed_from_the_name_of_a_file(String name, RecordFormat format) {
    assertThat(RecordFormat.guess(name)).isEqualTo(format);
  }
}
