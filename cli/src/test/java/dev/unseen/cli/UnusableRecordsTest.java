package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of records that cannot be used, and how they are counted. */
class UnusableRecordsTest {
  private static final String STRAY = "9999999,\"oops\n";

  @TempDir Path dir;

  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  /** Lines with and without quotes, of which every tenth key has come before. */
  private static List<String> lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i - i % 10 / 9 + (i % 3 == 0 ? ",\"a \"\"b\"\"\"\n" : ",c\n"))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @ParameterizedTest
  @CsvSource({"1,64M", "4,64M", "1,1K", "4,1K", "4,300K"})
  void a_stray_quote_costs_one_line(String threads, String limit) throws IOException {
    List<String> lines = lines(60_000);
    String expected = run("id,x\n" + String.join("", lines), "-q", "-fcsv", "-kid").text();
    lines.add(101, STRAY);
    lines.add(59_000, STRAY);
    String input = "id,x\n" + String.join("", lines);
    Path rejects = dir.resolve("rejects");
    String options = "-f csv -k id --threads %s --max-record %s --on-error ";
    String skip = options.formatted(threads, limit) + "skip --rejects-to " + rejects;
    Run skipped = run(input, skip.split(" "));
    assertThat(skipped.text()).isEqualTo(expected);
    assertThat(rejects).hasContent(STRAY + STRAY);
    assertThat(skipped.stderr())
        .contains("60,000 records, 54,000 new, 6,000 duplicates")
        .contains("2 records skipped (2 lines, 28 bytes)");

    Run passed = run(input, (options.formatted(threads, limit) + "pass").split(" "));
    assertThat(passed.text().replace(STRAY, "")).isEqualTo(expected);
    assertThat(passed.stderr()).contains("2 records passed unchecked");
  }

  @Test
  void a_stray_quote_is_reported_where_it_opens() {
    Run run = run("id\n1\n\"2\n3\n", "-q", "-f", "csv", "-k", "id");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).isEqualTo("id\n1\n");
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: stdin, line 3, column 1: the quote that opens here is never closed; close it,"
                + " or continue with --on-error skip\n");
  }

  /** In a heap of 120 MB: nothing grows with the lines that follow the quote. */
  @Test
  void a_stray_quote_in_a_large_file_takes_bounded_memory() throws IOException {
    Path file = dir.resolve("large.csv");
    int rows = 1_600_000; // more than the longest record
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,x\n");
      for (int i = 0; i < rows; i++) {
        out.write(Integer.toString(i & 0x3FFFF));
        out.write(",ab\n");
        if (i % 700_000 == 1) {
          out.write(STRAY);
        }
      }
    }
    String options = "-k id --on-error skip -c --threads 4 -m 16M --max-record 8M";
    ProcessBuilder small = Run.command((options + " " + file).split(" "));
    small.command().replaceAll(arg -> arg.equals("-Xmx600m") ? "-Xmx120m" : arg);
    Run run = Run.of(new byte[0], small);
    assertThat(run.stderr()).contains("3 records skipped (3 lines, 42 bytes)");
    assertThat(run.text()).isEqualTo((1 << 18) + "\n");
  }

  @Test
  void lines_and_bytes_that_are_skipped_are_counted() {
    String csv = "id,n\n1,\"a\nb\"\n\"2\n2\"\n3,x";
    Run run = run(csv, "-f", "csv", "-k", "n", "--on-error=skip", "--stats=json");
    assertThat(run.text()).isEqualTo("id,n\n1,\"a\nb\"\n3,x\n");
    assertThat(run.stderr())
        .contains("\"withoutKey\":1,\"nullKeys\":1,")
        .contains("\"skipped\":1,\"skippedLines\":2,\"skippedBytes\":6,");
    Run last = run("id\n1\n\"2", "-f", "csv", "-k", "id", "--on-error=skip");
    assertThat(last.stderr()).contains("1 record skipped (1 line, 2 bytes)");
    Run tooLong = run("a\n" + "b".repeat(3000) + "\nc\n", "--max-record=1K", "--on-error=skip");
    assertThat(tooLong.stderr()).contains("1 record skipped (1 line, 3,001 bytes)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jsonl | {'id':null,'n':1}\\n{'id':1,'n':2}\\n{'id':null,'n':3}\\n",
        "csv   | id,n\\n,1\\n1,2\\n\"\",3\\n",
        "tsv   | id\\tn\\n\\t1\\n1\\t2\\n\\t3\\n"
      })
  void records_with_a_null_key_are_rejected_skipped_passed_or_equal(String format, String text) {
    String input = text.replace("\\n", "\n").replace("\\t", "\t").replace('\'', '"');
    String[] args = {"-f", format, "-k", "id", "--kind", "bloom"};
    Run rejected = run(input, args);
    assertThat(rejected.exitCode()).isEqualTo(1);
    assertThat(rejected.stderr())
        .contains("which is the key, is ")
        .contains("let null be a key (missing-as-null), or continue with --on-error skip");

    Run skipped = run(input, with(args, "--on-error=skip", "-c"));
    assertThat(skipped.text()).isEqualTo("1\n");
    assertThat(skipped.stderr())
        .contains("2 records skipped (")
        .contains("2 records with a null key");

    Run passed = run(input, with(args, "--on-error=pass"));
    assertThat(passed.text()).isEqualTo(input);
    assertThat(passed.stderr()).contains("2 records with a null key");

    Run equal = run(input, with(args, "--missing-as-null", "-c", "--stats=json"));
    assertThat(equal.text()).isEqualTo("2\n");
    assertThat(equal.stderr()).contains("\"duplicates\":1,\"withoutKey\":0,\"nullKeys\":2,");
  }

  @Test
  void null_keys_after_the_first_duplicate_are_not_counted() {
    String input = "{}\n{\"id\":1}\n{\"id\":1}\n{}\n{}\n";
    Run run = run(input, "-fjsonl", "-kid", "--on-error=skip", "--fail-on-duplicate");
    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.stderr())
        .contains("1 record with a null key")
        .contains("1 record skipped (1 line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\uFEFF"})
  void an_empty_table_has_no_records(String empty) throws IOException {
    String none = Files.writeString(dir.resolve("none.csv"), empty).toString();
    String some = Files.writeString(dir.resolve("some.csv"), "id,n\n1,a\n1,b\n").toString();
    for (String[] files : List.of(new String[] {none, some}, new String[] {some, none})) {
      Run run = Run.here(with(new String[] {"-q", "-k", "id"}, files));
      assertThat(run.stderr()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(run.text().strip().replace("\uFEFF", "")).isEqualTo("id,n\n1,a");
    }
    assertThat(Run.here("-q", "-k", "id", none).exitCode()).isZero();
  }

  @Test
  void ndjson_is_jsonl() {
    assertThat(run("{\"id\":1}\n{\"id\":1}\n", "-q", "-f", "ndjson", "-k", "id").text())
        .isEqualTo("{\"id\":1}\n");
  }

  private static String[] with(String[] args, String... more) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
