package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read as records, keys and times, against what other tools make of it. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ReadingProcessTest {
  private static final byte[] NOTHING = {};

  @TempDir Path dir;

  @Nested
  class Tables {
    @Test
    void a_lone_quote_swallows_no_row_of_tsv_or_of_what_has_a_separator() {
      String tsv = "1\tx\n1\t\"a\n2\tb\n3\tc\"\n4\td\n";
      assertThat(text(tsv, "-f", "tsv", "-k", "1")).isEqualTo("1\tx\n2\tb\n3\tc\"\n4\td\n");
      assertThat(text(tsv, "-t", "\\t", "-k", "1")).isEqualTo("1\tx\n2\tb\n3\tc\"\n4\td\n");
      assertThat(text("\"a\nb\";1\nc;2\n", "-t", ";", "--quote", "\"", "-k", "2"))
          .isEqualTo("\"a\nb\";1\nc;2\n");
      assertThat(text("\"1,a\n\"1,b\n", "-f", "csv", "--quote", "none", "-k", "1"))
          .isEqualTo("\"1,a\n");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '#',
        value = {
          "-t :: -k 2 # a::1;b::1;a::2 # a::1;a::2",
          "--blanks -k 2 # a  1;  b\t1; a 2 # a  1; a 2",
          "-t _+ -k 2 # a_+1;b_+1 # a_+1",
          "-t , -k 2- # a,1,2;b,1,2;c,1;d,1 # a,1,2;c,1",
        })
    void have_the_columns_of_awk(String args, String input, String expected) {
      String lines = input.replace(';', '\n') + "\n";
      assertThat(text(lines, args.split(" ", -1))).isEqualTo(expected.replace(';', '\n') + "\n");
    }

    @Test
    void a_separator_of_a_blank_and_a_plus_means_blanks() {
      assertThat(text("a  1\nb 1\n", "-t", " +", "-k", "2")).isEqualTo("a  1\n");
    }

    @Test
    void empty_lines_are_counted_and_stay_in_the_output() throws IOException {
      Path twice = dir.resolve("twice");
      String csv = "id,n\n1,a\n\n1,b\r\n\r\n2,c\n";
      Run run =
          Run.here(bytes(csv), "-fcsv", "-kid", "--stats=json", "--duplicates-to", "" + twice);
      assertThat(run.text()).isEqualTo("id,n\n1,a\n\n\r\n2,c\n");
      assertThat(twice).content().isEqualTo("id,n\n1,b\r\n");
      assertThat(run.stderr())
          .startsWith("{\"records\":5,\"fresh\":4,\"duplicates\":1,\"withoutKey\":2,");
    }

    @Test
    void a_file_named_csv_has_a_header_even_without_a_key() throws IOException {
      Path file = file("in.csv", "b,a\n1,2\nb,a\n1,2\n");
      Run run = Run.here(NOTHING, file.toString());
      assertThat(run.text()).isEqualTo("b,a\n1,2\nb,a\n");
      assertThat(run.stderr()).startsWith("unseen: the first row is taken for a header; use --no-");
      assertThat(Run.here(NOTHING, "-q", "--no-header", file.toString()).text())
          .isEqualTo("b,a\n1,2\n");
    }

    @Test
    void a_tag_does_not_make_two_columns_of_one_name() {
      Run run = Run.here(bytes("id,seen\n1,x\n"), "-f", "csv", "-k", "id", "--tag", "seen");
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: stdin has a column 'seen' already; choose another name for the tag\n");
      assertThat(run.exitCode()).isEqualTo(1);
    }
  }

  @Nested
  class Json {
    @ParameterizedTest
    @CsvSource(
        delimiter = '#',
        value = {
          ".a.b # {'a':{'b':1}};{'a':{'b':1,'c':2}};{'a':{'b':2}} # 1,3",
          "a[0] # {'a':[1,2]};{'a':[1,3]};{'a':[2]} # 1,3",
          "a[-1] # {'a':[1,2]};{'a':[2]};{'a':[3]} # 1,3",
          "a # {'a':{'x':1,'y':[2]}};{'a':{ 'y':[ 2 ],'x':1}};{'a':{'x':2}} # 1,3",
          "a.b # {'a':{'b':1},'a':{'b':2}};{'a':{'b':2}};{'a':{'b':1}} # 1,3",
        })
    void keys_are_at_paths_and_may_be_objects(String key, String input, String expected) {
      String[] lines = json(input).split(";", -1);
      StringBuilder out = new StringBuilder();
      for (String line : expected.split(",", -1)) {
        out.append(lines[Integer.parseInt(line) - 1]).append('\n');
      }
      assertThat(text(String.join("\n", lines) + "\n", "-f", "jsonl", "-k", key))
          .isEqualTo(out.toString());
    }

    @Test
    void a_missing_field_is_null_if_asked() {
      String input = json("{'id':null}\n{'x':1}\n{'id':'null'}\n");
      assertThat(text(input, "-f", "jsonl", "-k", "id", "--missing-as-null"))
          .isEqualTo(json("{'id':null}\n"));
    }

    @Test
    void arrays_and_values_after_each_other_are_records() throws IOException {
      Path file = file("in.json", json("[{'id':1},\n {'id':2},{'id':1}]\n{'id':\n3}\n{'id':2}\n"));
      Run run = Run.here(NOTHING, "-q", "-k", "id", file.toString());
      assertThat(run.text()).isEqualTo(json("{'id':1}\n{'id':2}\n{'id':\n3}\n"));
      assertThat(run.exitCode()).isZero();
      Run bad = Run.here(bytes(json("{'id':1}\n{'id':\n 1,}\n{'id':2}\n")), "-q", "-fjson", "-kid");
      assertThat(bad.stderr())
          .startsWith("unseen: stdin, line 3, column 4: the JSON does not parse");
      Run cut = Run.here(bytes("[1,2"), "-q", "-f", "json");
      assertThat(cut.stderr()).startsWith("unseen: stdin is cut off: its JSON array is not closed");
      assertThat(cut.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{\"id\":\"\u00c1\u00a1\"}",
          "{\"\u00ffid\":1}",
          "{\"id\":\"\u00ed\u00a0\u0080\"}"
        })
    void bytes_that_are_not_utf8_are_never_taken_for_other_text(String line) {
      Run run = Run.here((line + "\n").getBytes(ISO_8859_1), "-q", "-f", "jsonl", "-k", "id");
      assertThat(run.stderr()).contains("is not UTF-8");
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void a_tag_takes_the_place_of_a_field_of_that_name() {
      String input = json("{'id':1,'seen':{'x':1}}\n{'seen':'no','id':1}\n{'id':2}\n");
      assertThat(text(input, "-f", "jsonl", "-k", "id", "--tag", "seen"))
          .isEqualTo(
              json("{'id':1,'seen':'new'}\n{'seen':'duplicate','id':1}\n{'id':2,'seen':'new'}\n"));
    }

    @Test
    @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
    void a_million_names_with_escapes_take_no_longer_than_others() {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 1_000_000; i++) {
        text.append("{\"\\u0061").append(i).append("\":1,\"id\":1}\n");
      }
      assertThat(text(text.toString(), "-f", "jsonl", "-k", "id")).hasLineCount(1);
    }
  }

  @Nested
  class RecordsThatCannotBeUsed {
    @Test
    void are_skipped_to_a_file_of_their_own() throws IOException {
      Path rejects = dir.resolve("rejects");
      String input = json("{'id':1}\nnonsense\n{'id':1}\n{'x':1}\n[1]\n{'id':2}");
      Run run =
          Run.here(
              bytes(input),
              "-q",
              "-f",
              "jsonl",
              "-k",
              "id",
              "--tag",
              "t",
              "--on-error",
              "skip",
              "--rejects-to",
              rejects.toString());
      assertThat(run.text())
          .isEqualTo(json("{'id':1,'t':'new'}\n{'id':1,'t':'duplicate'}\n{'id':2,'t':'new'}\n"));
      assertThat(rejects).content().isEqualTo(json("nonsense\n{'x':1}\n[1]\n"));
      assertThat(run.exitCode()).isZero();
    }

    @Test
    void pass_without_a_tag() {
      assertThat(text("{}\nnonsense\n", "-f", "jsonl", "--tag", "t", "--on-error", "pass"))
          .isEqualTo(json("{'t':'new'}\nnonsense\n"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2000, 3_000_000})
    void may_be_too_long(int length) throws IOException {
      Path rejects = dir.resolve("rejects");
      String longLine = "x".repeat(length) + "\n";
      byte[] input = bytes("a\n" + longLine + "b\na\n" + longLine);
      Run skip =
          Run.here(
              input, "-q", "--max-record", "1K", "--on-error=skip", "--rejects-to", "" + rejects);
      assertThat(skip.text()).as(skip.stderr()).isEqualTo("a\nb\n");
      assertThat(rejects).content().isEqualTo(longLine + longLine);
      Run pass = Run.here(input, "--max-record", "1K", "--on-error=pass", "--stats=json");
      assertThat(pass.text()).isEqualTo("a\n" + longLine + "b\n" + longLine);
      assertThat(pass.stderr())
          .startsWith("{\"records\":5,\"fresh\":4,\"duplicates\":1,\"withoutKey\":2,");
      Run fail = Run.here(input, "-q", "--max-record", "1K");
      assertThat(fail.text()).isEqualTo("a\n");
      assertThat(fail.stderr())
          .isEqualTo(
              "unseen: stdin, line 2, column 1: the record is longer than 1,024 bytes; raise"
                  + " max-record to allow it, or continue with --on-error skip\n");
    }

    /** The heap has room for the filter, and for a few times the line. */
    @Test
    void long_lines_take_memory_in_proportion() {
      byte[] line = new byte[10_000_001];
      Arrays.fill(line, (byte) 'x');
      line[line.length - 1] = '\n';
      byte[] input = new byte[20 * line.length];
      for (int i = 0; i < 20; i++) {
        System.arraycopy(line, 0, input, i * line.length, line.length);
        input[i * line.length] = (byte) ('a' + i);
      }
      ProcessBuilder small = Run.command("-q", "-m", "1M");
      small.command().replaceAll(arg -> arg.equals("-Xmx600m") ? "-Xmx140m" : arg);
      Run run = Run.of(input, small);
      assertThat(run.exitCode()).as(run.stderr()).isZero();
      assertThat(run.stdout()).isEqualTo(input);
    }
  }

  @Nested
  class Times {
    @ParameterizedTest
    @ValueSource(strings = {"1e400", "'NaN'", "'+999999999-12-31'", "-1e400", "'yesterday'", "{}"})
    @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
    void that_are_none_end_the_run_with_line_and_column(String time) {
      String input = json("{'id':1,'at':5}\n{'id':1,'at':" + time + "}\n");
      Run run = windowed(input, "--window", "24h");
      assertThat(run.text()).isEqualTo(json("{'id':1,'at':5}\n"));
      assertThat(run.stderr())
          .startsWith("unseen: stdin, line 2, column 14: time '" + time.replace("'", "") + "' is ")
          .endsWith(", or continue with --on-error skip\n");
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "'0000-01-01'",
          "'9999-12-31T23:59:59Z'",
          "-99999999999",
          "99999999999999999999"
        })
    @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
    void that_are_far_away_are_answered_at_once(String time) {
      String input =
          json(
              "{'id':1,'at':"
                  + time
                  + "}\n{'id':1,'at':'2025-11-15'}\n{'id':1,'at':"
                  + time
                  + "}\n");
      assertThat(windowed(input, "--window", "1s", "--on-error", "pass").exitCode()).isZero();
    }

    @Test
    void that_are_missing_are_called_times() {
      assertThat(windowed(json("{'id':1}\n"), "--window", "24h").stderr())
          .isEqualTo(
              "unseen: stdin, line 1, column 1: the record has no field 'at', which is the time; add"
                  + " it or leave the record out, or continue with --on-error skip\n");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "2025-11-15T22:51:00+0000",
          "2025-11-15 22:51:00,123",
          "Sat, 15 Nov 2025 22:51:00 +0000",
          "15/Nov/2025:22:51:00 +0000"
        })
    void have_many_forms(String time) {
      String one = json("{'id':1,'at':'2025-11-15T20:00:00Z'}\n");
      String two = json("{'id':1,'at':'" + time + "'}\n");
      assertThat(windowed(one + two, "--window", "24h").text()).isEqualTo(one);
      assertThat(windowed(one + two, "--window", "1h").text()).isEqualTo(one + two);
    }

    private Run windowed(String input, String... args) {
      String[] all = Arrays.copyOf(args, args.length + 7);
      System.arraycopy(
          new String[] {"-q", "-f", "jsonl", "-k", "id", "--time", "at"}, 0, all, args.length, 7);
      return Run.here(bytes(input), all);
    }
  }

  @Test
  void files_of_different_formats_are_rejected() throws IOException {
    Path csv = file("a.csv", "id\n1\n");
    Path jsonl = file("b.jsonl", "{\"id\":1}\n");
    Run run = Run.here(NOTHING, "-k", "id", csv.toString(), jsonl.toString());
    assertThat(run.stderr())
        .startsWith(
            "unseen: '%s' is read as csv and '%s' as jsonl, but one output has one format;"
                .formatted(csv, jsonl));
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void what_is_packed_otherwise_is_rejected() {
    Run run = Run.here("PK\u0003\u0004...".getBytes(ISO_8859_1), "-q");
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: stdin is a zip archive, which cannot be read directly; unpack it first: unzip -p FILE\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void case_is_that_of_unicode_and_no_language() {
    assertThat(text("i\nI\n\u0131\n\u0130\nß\n\u1E9E\nss\n", "-i"))
        .isEqualTo("i\n\u0131\n\u0130\nß\nss\n");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }

  private static String text(String input, String... args) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = "-q";
    Run run = Run.here(bytes(input), all);
    assertThat(run.stderr()).isEmpty();
    return run.text();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
