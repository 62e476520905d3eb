package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * Every option of the command, on files made here, against exact answers. Most run in this process;
 * that a process does the same is for {@link CommandTest}.
 */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class OptionsTest {
  private static final byte[] NOTHING = {};

  @TempDir Path dir;

  /** A record as it stands in a file, and what its key is. */
  private record Rec(String text, String key) {}

  @Nested
  class Keys {
    @Test
    void of_json_lines_compare_by_their_text() {
      assertThat(text("{'id':1,'a':2}\n{'a':3,'id':1}\n{'id':'1'}\n", "-f", "jsonl", "-k", "id"))
          .isEqualTo(json("{'id':1,'a':2}\n"));
      assertThat(text("{'id':1}\n{'id':1.0}\n{'id':true}\n{'id':'true'}\n", "-fjsonl", "-kid"))
          .isEqualTo(json("{'id':1}\n{'id':1.0}\n{'id':true}\n"));
    }

    @Test
    void of_several_fields_do_not_flow_into_each_other() {
      String input = "{'a':'x','b':'yz'}\n{'a':'xy','b':'z'}\n{'b':'yz','a':'x'}\n";
      assertThat(text(input, "-f", "jsonl", "-k", "a,b"))
          .isEqualTo(json("{'a':'x','b':'yz'}\n{'a':'xy','b':'z'}\n"));
      assertThat(text("1,23\n12,3\n1,23\n", "-f", "csv", "-k", "1-2")).isEqualTo("1,23\n12,3\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void of_generated_json_lines_are_exact(long seed) throws IOException {
      Random random = new Random(seed);
      List<Rec> records = new ArrayList<>();
      for (int i = 0; i < 60_000; i++) {
        records.add(jsonRecord(random));
      }
      Path file = write("in.jsonl", records);
      assertThat(bloom("-k", "user.id", "--missing-as-null", file.toString()).stdout())
          .isEqualTo(firsts(records, Function.identity()));
      String folded = "-k user.id --missing-as-null -i --trim --threads 1 " + file;
      assertThat(bloom(folded.split(" ")).stdout())
          .isEqualTo(firsts(records, key -> key.strip().toLowerCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "\t", ";"})
    void of_generated_csv_are_exact(String separator) throws IOException {
      Random random = new Random(separator.hashCode());
      List<Rec> records = new ArrayList<>();
      for (int i = 0; i < 60_000; i++) {
        records.add(csvRecord(random, separator));
      }
      String header = String.join(separator, "name", "\"the \"\"key\"\"\"", "n") + "\r\n";
      byte[] expected = concat(bytes(header), firsts(records, Function.identity()));
      Path file = dir.resolve(separator.equals("\t") ? "in.tsv" : "in.csv");
      Files.write(file, concat(bytes(header), all(records)));
      List<String> args = new ArrayList<>(List.of("-k", "the \"key\"", file.toString()));
      if (separator.equals(";")) {
        args.addAll(0, List.of("-t", ";"));
      }
      if (separator.equals("\t")) {
        args.addAll(0, List.of("--quote", "\""));
      }
      assertThat(bloom(args.toArray(String[]::new)).stdout()).isEqualTo(expected);
      args.set(args.indexOf("the \"key\""), "2");
      args.add("--header");
      assertThat(bloom(args.toArray(String[]::new)).stdout()).isEqualTo(expected);
    }

    @Test
    void lose_case_and_blanks_if_asked_but_records_do_not() {
      assertThat(text("Ab\nAB \n ab\nÄ\nä\n", "-i")).isEqualTo("Ab\nAB \n ab\nÄ\n");
      assertThat(text("Ab\nAB \n ab\n", "-i", "--trim")).isEqualTo("Ab\n");
      assertThat(text("a\r\na\n a\n", "--trim")).isEqualTo("a\r\n");
      assertThat(text("A, b\na,B\n", "-f", "csv", "-k", "1,2", "-i", "--trim")).isEqualTo("A, b\n");
    }

    @Test
    void of_lines_that_end_with_nul_may_hold_newlines() {
      assertThat(text("a\nb\0a\0a\nb\0a", "-z")).isEqualTo("a\nb\0a\0");
      assertThat(text("{'id':\n1}\0{'id':1}\0{'id':2}", "-z", "-f", "jsonl", "-k", "id"))
          .isEqualTo(json("{'id':\n1}\0{'id':2}\0"));
    }

    @Test
    void whole_csv_records_are_the_same_however_they_are_quoted() {
      assertThat(text("a,b\n\"a\",b\r\na,\"b\"\n\"a,b\"\n", "-f", "csv"))
          .isEqualTo("a,b\n\"a,b\"\n");
    }
  }

  @Nested
  class Headers {
    @Test
    void pass_through_once_and_are_no_records() throws IOException {
      String a = file("a.csv", "id,n\n1,x\n1,y\n").toString();
      String b = file("b.csv", "id,n\r\n2,z\n1,q").toString();
      Run run = bloom("-k", "id", a, b);
      assertThat(run.text()).isEqualTo("id,n\n1,x\n2,z\n");
      assertThat(run.stderr()).startsWith("unseen: 4 records, 2 new, 2 duplicates");
      assertThat(bloom("-d", "-k", "id", a, b).text()).isEqualTo("id,n\n1,y\n1,q\n");
      assertThat(bloom("-c", "-k", "id", a, b).text()).isEqualTo("2\n");
    }

    @Test
    void that_differ_are_rejected() throws IOException {
      String a = file("a.csv", "id,n\n1,x\n").toString();
      String b = file("b.csv", "n,id\nx,1\n").toString();
      Run run = bloom("-k", "id", a, b);
      assertThat(run.text()).isEqualTo("id,n\n1,x\n");
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: the header of '%s' differs from that of '%s', and one output has one header;"
                  + " run them one by one\n",
              b, a);
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void are_guessed_from_the_key_and_may_be_denied() {
      assertThat(text("1,a\n1,a\n", "-f", "csv", "-k", "1")).isEqualTo("1,a\n");
      assertThat(text("1,a\n1,b\n1,c\n", "-f", "csv", "-k", "1", "--header"))
          .isEqualTo("1,a\n1,b\n");
      Run run = Run.here(bytes("id\n1\n"), "-f", "csv", "-k", "id", "--no-header");
      assertThat(run.stderr())
          .startsWith("unseen: column 'id' is a name, which needs a header; give its number");
      assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void keep_the_mark_before_utf8_of_the_first_file_only() throws IOException {
      String a = file("a.csv", "\uFEFFid\n1\n").toString();
      String b = file("b.csv", "\uFEFFid\n2\n").toString();
      assertThat(bloom("-k", "id", a, b).text()).isEqualTo("\uFEFFid\n1\n2\n");
      String c = file("c.jsonl", "\uFEFF{\"id\":1}\n").toString();
      String d = file("d.jsonl", "\uFEFF{\"id\":2}\n").toString();
      assertThat(bloom("-k", "id", c, d).text()).isEqualTo("\uFEFF{\"id\":1}\n{\"id\":2}\n");
    }
  }

  @Nested
  class RecordsWithoutKey {
    private static final String INPUT = "{'id':1}\n{'x':2}\n{'id':1}\n{'id':\n{'id':3}\n{'x':2}\n";

    @Test
    void end_the_run_with_file_line_and_column() throws IOException {
      Path file = file("in.jsonl", json(INPUT));
      Run run = bloom("-k", "id", file.toString());
      assertThat(run.text()).isEqualTo(json("{'id':1}\n"));
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: '%s', line 2, column 1: the record has no field 'id', which is the key; add"
                  + " it or leave the record out, or continue with --on-error skip\n",
              file);
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void pass_or_are_left_out_if_asked() {
      Run pass = Run.here(bytes(json(INPUT)), "-f", "jsonl", "-k", "id", "--on-error", "pass");
      assertThat(pass.text()).isEqualTo(json("{'id':1}\n{'x':2}\n{'id':\n{'id':3}\n{'x':2}\n"));
      assertThat(pass.stderr())
          .startsWith("unseen: 6 records, 5 new, 1 duplicate ")
          .endsWith("3 records passed unchecked; 2 records with a null key\n");
      Run skip =
          Run.here(
              bytes(json(INPUT)), "-f", "jsonl", "-k", "id", "--on-error=skip", "--stats=json");
      assertThat(skip.text()).isEqualTo(json("{'id':1}\n{'id':3}\n"));
      assertThat(skip.stderr())
          .startsWith("{\"records\":3,\"fresh\":2,\"duplicates\":1,\"withoutKey\":3,");
    }

    @Test
    void of_csv_are_reported_and_left_out_alike() {
      String input = "id,n\n1,\"a\"b\n2\n3,c\n";
      Run fail = Run.here(bytes(input), "-f", "csv", "-k", "n");
      assertThat(fail.stderr())
          .startsWith("unseen: stdin, line 2, column 6: the CSV does not parse");
      assertThat(text(input, "-f", "csv", "-k", "n", "--on-error", "skip"))
          .isEqualTo("id,n\n3,c\n");
      assertThat(text(input, "-f", "csv", "-k", "n", "--on-error", "pass")).isEqualTo(input);
    }
  }

  @Nested
  class Outputs {
    @Test
    void of_duplicates_and_firsts_are_together_the_input() throws IOException {
      byte[] input = randomLines(7);
      Path twice = dir.resolve("twice");
      Run run = Run.here(input, "--kind", "bloom", "--duplicates-to", twice.toString());
      byte[] firsts = Oracle.dedup(input);
      assertThat(run.stdout()).isEqualTo(firsts);
      assertThat(Run.here(input, "--kind", "bloom", "-d").stdout())
          .isEqualTo(Files.readAllBytes(twice));
      List<String> both = new ArrayList<>(lines(firsts));
      both.addAll(lines(Files.readAllBytes(twice)));
      assertThat(sorted(both)).isEqualTo(sorted(lines(input)));
    }

    @Test
    void with_tags_mark_every_record() {
      assertThat(text("a\nb\na", "--tag", "seen")).isEqualTo("new\ta\nnew\tb\nduplicate\ta\n");
      assertThat(text("{'id':1}\n{'id':1 } \r\n{'id':2}", "-fjsonl", "-kid", "--tag", "seen"))
          .isEqualTo(
              json(
                  "{'id':1,'seen':'new'}\n{'id':1 ,'seen':'duplicate'} \r\n{'id':2,'seen':'new'}\n"));
      assertThat(text("{}\n { }\n", "-f", "jsonl", "--tag", "a\"b"))
          .isEqualTo("{\"a\\\"b\":\"new\"}\n { \"a\\\"b\":\"new\"}\n");
      assertThat(text("id,n\r\n1,x\r\n1,\"y\nz\"\n2,q", "-fcsv", "-kid", "--tag", "a,b"))
          .isEqualTo("id,n,\"a,b\"\r\n1,x,new\r\n1,\"y\nz\",duplicate\n2,q,new\n");
      Run bad = Run.here(bytes("{}\n[1]\n"), "-f", "jsonl", "--tag", "t");
      assertThat(bad.text()).isEqualTo("{\"t\":\"new\"}\n");
      assertThat(bad.stderr())
          .isEqualTo(
              "unseen: stdin, line 2, column 1: the record is not a JSON object, so it has no field 't';"
                  + " leave the record out, or continue with --on-error skip\n");
      assertThat(bad.exitCode()).isEqualTo(1);
    }

    @Test
    void that_count_print_nothing_else() {
      assertThat(text("a\nb\na\n", "-c")).isEqualTo("2\n");
      assertThat(text("a\nb\na\n", "-cd")).isEqualTo("1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out", "out.gz", "out.xz", "out.zst", "out.bz2", "out.lz4"})
    void go_to_a_file_and_come_back_from_it_whatever_it_is_compressed_with(String name)
        throws IOException {
      byte[] input = randomLines(8);
      Path out = Files.writeString(dir.resolve(name), "old");
      Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rw-r-----"));
      Run run = Run.here(input, "-q", "--kind", "bloom", "-o", out.toString());
      assertThat(run.stdout()).isEmpty();
      assertThat(run.exitCode()).as(run.stderr()).isZero();
      assertThat(unpack(out)).isEqualTo(Oracle.dedup(input));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out)))
          .isEqualTo("rw-r-----");
      assertThat(names()).containsExactly(name);
      assertThat(bloom(out.toString()).stdout()).isEqualTo(Oracle.dedup(input));
    }

    @Test
    void may_replace_the_input_and_follow_a_link() throws IOException {
      Path in = file("in", "a\nb\na\n");
      Path link = Files.createSymbolicLink(dir.resolve("link"), in.getFileName());
      assertThat(bloom("-o", link.toString(), in.toString()).exitCode()).isZero();
      assertThat(in).hasContent("a\nb\n");
      assertThat(link).isSymbolicLink();
    }

    @Test
    void that_fail_leave_the_older_file_and_the_duplicates_so_far() throws IOException {
      Path out = file("out", "good\n");
      Path twice = file("twice", "of a run before\n");
      String in = file("in.jsonl", "{\"id\":1}\n{\"id\":1}\nnonsense\n").toString();
      Run run = bloom("-k", "id", "-o", "" + out, "--duplicates-to", "" + twice, in);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(out).hasContent("good\n");
      assertThat(twice).hasContent("of a run before\n{\"id\":1}\n");
      assertThat(names()).containsExactly("in.jsonl", "out", "twice");
    }

    @Test
    void that_cannot_be_written_are_reported() throws IOException {
      Run missing = Run.here(bytes("a\n"), "-o", dir + "/no/where");
      assertThat(missing.stderr())
          .isEqualTo("unseen: cannot write '%s/no/where': No such file or directory\n", dir);
      assertThat(missing.exitCode()).isEqualTo(1);
      Run directory = Run.here(bytes("a\n"), "-o", dir.toString());
      assertThat(directory.stderr()).isEqualTo("unseen: cannot write '%s': Is a directory\n", dir);
      Run same = Run.here(bytes("a\n"), "-o", "x", "--duplicates-to", "x");
      assertThat(same.stderr()).contains("are the same file: 'x'");
      assertThat(same.exitCode()).isEqualTo(2);
      File full = new File("/dev/full");
      assumeTrue(full.exists(), "no such device here");
      Run noSpace = Run.here(bytes("a\na\n"), "--duplicates-to", full.getPath());
      assertThat(noSpace.stderr())
          .isEqualTo("unseen: cannot write '/dev/full': No space left on device\n");
      assertThat(noSpace.exitCode()).isEqualTo(1);
    }
  }

  @Nested
  class Inputs {
    @Test
    void that_are_compressed_are_known_by_their_first_bytes_from_files_and_stdin()
        throws IOException {
      byte[] input = randomLines(9);
      byte[] expected = Oracle.dedup(input);
      for (String suffix : List.of(".gz", ".xz", ".zst", ".bz2", ".lz4")) {
        byte[] packed = pack(input, suffix);
        assertThat(Run.here(packed, "--kind", "bloom").stdout()).isEqualTo(expected);
        Path file = Files.write(dir.resolve("no suffix"), packed);
        assertThat(bloom(file.toString()).stdout()).isEqualTo(expected);
      }
      Path named =
          Files.write(dir.resolve("in.jsonl.gz"), pack(bytes("{\"id\":1}\n{\"id\":1}\n"), ".gz"));
      assertThat(bloom("-k", "id", named.toString()).text()).isEqualTo("{\"id\":1}\n");
    }

    @Test
    void that_are_damaged_are_reported_after_what_was_whole() throws IOException {
      byte[] packed = pack(randomLines(10), ".gz");
      Path cut = Files.write(dir.resolve("cut.gz"), Arrays.copyOf(packed, packed.length / 2));
      Run run = bloom(cut.toString());
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: %s is cut off: its gzip data ends too early; copy or make the file again\n",
              cut);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.stdout()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"P\n", "(x\n", "P*M\n", "Q", "\u001f\n", "(\n(\n"})
    void that_only_look_compressed_are_read_as_they_are(String text) {
      byte[] input = text.getBytes(ISO_8859_1);
      assertThat(Run.here(input).stdout()).isEqualTo(Oracle.dedup(input));
    }
  }

  @Nested
  class Statistics {
    @Test
    void in_json_are_one_object_on_one_line_with_all_fields() throws IOException {
      Run run = Run.here(bytes("a\nb\na\n"), "--stats=json", "--kind", "bloom", "-m", "1M");
      assertThat(run.stderr()).hasLineCount(1);
      Set<String> fields = new TreeSet<>();
      try (JsonParser parser = new JsonFactory().createParser(run.stderr())) {
        while (parser.nextToken() != null) {
          if (parser.currentToken() == JsonToken.FIELD_NAME) {
            fields.add(parser.currentName());
          }
        }
      }
      assertThat(fields)
          .containsExactlyInAnyOrder(
              "records",
              "fresh",
              "duplicates",
              "withoutKey",
              "nullKeys",
              "skipped",
              "skippedLines",
              "skippedBytes",
              "bytes",
              "seconds",
              "kind",
              "hashes",
              "distinctKeys",
              "keysHeld",
              "memoryBytes",
              "overheadBytes",
              "predecessorBytes",
              "load",
              "estimatedFpr",
              "estimatedFnr",
              "estimatedFnrLow",
              "estimatedFnrHigh",
              "maxFpr",
              "evictedEarly",
              "lateTimes",
              "clockJumps",
              "rejectedTimes",
              "inFlight");
      assertThat(run.stderr())
          .startsWith(
              "{\"records\":3,\"fresh\":2,\"duplicates\":1,\"withoutKey\":0,\"nullKeys\":0,\"skipped\":0,\"skippedLines\":0,\"skippedBytes\":0,\"bytes\":6,")
          .contains(
              "\"kind\":\"bloom\",\"hashes\":7,\"distinctKeys\":2,\"keysHeld\":2,\"memoryBytes\":1048576,")
          .contains("\"estimatedFnr\":0,\"estimatedFnrLow\":0,\"estimatedFnrHigh\":0,\"maxFpr\":1,")
          .endsWith("\"inFlight\":0}\n");
    }

    @Test
    void are_reported_although_quiet_if_asked_for_and_never_take_a_file_for_their_form()
        throws IOException {
      String file = file("in", "a\n").toString();
      Run run = Run.here(NOTHING, "-q", "--stats", file);
      assertThat(run.text()).isEqualTo("a\n");
      assertThat(run.stderr()).startsWith("unseen: 1 record, ");
      assertThat(Run.here(NOTHING, "--progress", file).text()).isEqualTo("a\n");
    }
  }

  @Nested
  class ExitCodes {
    @Test
    void are_four_if_duplicates_are_not_to_be() {
      Run some = Run.here(bytes("a\na\n"), "--fail-on-duplicate");
      assertThat(some.exitCode()).isEqualTo(4);
      assertThat(some.text()).isEqualTo("a\n");
      assertThat(Run.here(bytes("a\nb\n"), "--fail-on-duplicate").exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '#',
        value = {
          "-u # -u: one pass in memory that never grows cannot tell which records never come again; use sort FILE | uniq -u",
          "--keep-last # --keep-last: one pass in memory that never grows cannot tell which record of a key is the last; use tac FILE | unseen | tac",
          "--counts # --counts: one pass in memory that never grows cannot tell how often each key comes; use sort FILE | uniq -c",
          "-k id # key 'id' needs format csv, tsv, jsonl or json; format lines has no fields, and stdin is read as lines; choose a format with --format",
          "-f xml # format 'xml' is unknown; known: lines, csv, tsv, jsonl, json",
          "-f int32be # format int32be has no text to print; choose lines, csv, tsv, jsonl or json",
          "-t é # separator 'é' must be 1 to 16 ASCII characters without a line end, such as ';' or \\t",
          "-f csv -t a\"b # separator 'a\"b' must not contain the quote \"; choose another quote, or none",
          "--quote ab # quote 'ab' must be one ASCII character other than a line end, or none",
          "--blanks -t ; # columns can be separated by ';' or by blanks, not by both; leave one of them out",
          "--blanks -f jsonl # separating columns at blanks needs format csv or tsv; format jsonl has no columns",
          "--max-record 2G # --max-record '2G' must be a size from 1K to 1G",
          "--rejects-to r # --rejects-to needs --on-error skip or --late drop: it keeps the records that these leave out",
          "-f jsonl -k a[x] # key 'a[x]' must have a number in brackets, as in items[0] or items[-1]; write \\[ for a bracket in a name",
          "-f json -z # NUL ends lines, and format json has no lines; use format lines or jsonl",
          "-t ; -f jsonl # separator ';' needs format csv or tsv; format jsonl has no columns",
          "-z -f csv # NUL ends lines, and format csv has its own ends; use format lines or jsonl",
          "-f csv -k 3-2 # columns '3-2' must go up, as in 2-3",
          "-f jsonl -k a..b # key 'a..b' has an empty name between dots; write it as user.name",
          "--on-error what # --on-error 'what' is unknown; known: fail, pass, skip",
          "--stats=xml # --stats 'xml' is unknown; known: text, json",
          "--threads 0 # --threads (0) must be a number from 1 to 64; leave it out to use all processors",
          "--threads 65 # --threads (65) must be a number from 1 to 64; leave it out to use all processors",
          "--tag= # --tag '' is empty; give the name of a field",
          "--tag t -c # --tag keeps all records; it goes neither with --count nor with --duplicates",
        })
    void are_two_with_the_reason_for_what_cannot_be_done(String args, String message) {
      Run run = Run.here(bytes("a\n"), args.split(" "));
      assertThat(run.stderr()).isEqualTo("unseen: %s\ntry 'unseen --help'\n", message);
      assertThat(run.stdout()).isEmpty();
      assertThat(run.exitCode()).isEqualTo(2);
    }
  }

  /**
   * Of bytes without empty lines nothing is lost: what is not in the one output is in the other.
   */
  @ParameterizedTest
  @ValueSource(strings = {"lines", "csv", "tsv", "jsonl"})
  void random_bytes_come_out_whole_in_every_format(String format) throws IOException {
    Random random = new Random(format.hashCode());
    StringBuilder text = new StringBuilder();
    String alphabet = "ab\"\\{}[]:,;\t1.e\0\u00e9\u00ff";
    for (int i = 0; i < 30_000; i++) {
      text.append('x'); // so that no line is empty
      for (int length = random.nextInt(6); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      text.append("y\n");
    }
    byte[] input = text.toString().getBytes(ISO_8859_1);
    Path twice = dir.resolve("twice");
    List<String> args = new ArrayList<>(List.of("-f", format, "--kind=bloom", "--on-error=pass"));
    args.addAll(List.of("--duplicates-to", twice.toString(), "--stats=json"));
    if (!format.equals("lines")) {
      args.addAll(List.of("-k", format.equals("jsonl") ? "a" : "1"));
    }
    Run run = Run.here(input, args.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.stderr()).isZero();
    List<String> both = new ArrayList<>(lines(run.stdout()));
    both.addAll(lines(Files.readAllBytes(twice)));
    assertThat(sorted(both)).isEqualTo(sorted(lines(input)));
    assertThat(run.stderr()).contains("\"bytes\":" + input.length + ",");
  }

  /** Inputs of several batches, with what does not fit into one: quotes around line ends. */
  @ParameterizedTest
  @ValueSource(strings = {"lines", "csv", "tsv", "jsonl", "json"})
  void one_thread_and_many_give_the_same(String format) {
    byte[] input = manyRecords(format);
    List<String> args = new ArrayList<>(List.of("-q", "-f", format, "--on-error", "skip"));
    if (!format.equals("lines")) {
      args.addAll(List.of("-k", "id"));
    }
    byte[] one = Run.here(input, with(args, "--threads", "1")).stdout();
    assertThat(one.length).isGreaterThan(1 << 20);
    for (String threads : List.of("2", "3", "8")) {
      assertThat(Run.here(input, with(args, "--threads", threads)).stdout()).isEqualTo(one);
    }
  }

  private static String[] with(List<String> args, String... more) {
    return Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new);
  }

  private static byte[] manyRecords(String format) {
    StringBuilder text = new StringBuilder(format.matches("[ct]sv") ? "id,text\n" : "");
    Random random = new Random(7);
    for (int i = 0; i < 60_000; i++) {
      int id = random.nextInt(40_000);
      String filler = "x".repeat(random.nextInt(1000) == 0 ? 5000 : random.nextInt(80));
      String record =
          switch (format) {
            case "csv" -> id + ",\"" + filler + (i % 7 == 0 ? "\n\"\"" : "") + "\"";
            case "tsv" -> id + "," + filler;
            case "lines" -> id + filler;
            default -> "{\"id\":" + id + ",\"text\":\"" + filler + "\"}";
          };
      text.append(i % 5000 == 1 ? "\"?\"?" : record).append(i % 100 == 0 ? "\n\n" : "\n");
    }
    return bytes(format.equals("tsv") ? text.toString().replace(',', '\t') : text.toString());
  }

  @Test
  void dedup_is_a_command_of_its_own_and_has_help() {
    assertThat(Run.here(bytes("a\na\n"), "dedup", "-q").text()).isEqualTo("a\n");
    assertThat(Run.here(NOTHING, "help", "dedup").text())
        .isEqualTo(Run.here(NOTHING, "--help").text())
        .startsWith("Usage: unseen ");
    assertThat(Run.here(NOTHING, "help", "lab").text()).contains("unseen lab");
    assertThat(Run.here(NOTHING, "help", "nobody").exitCode()).isEqualTo(2);
  }

  // ---- Records made here

  private static Rec jsonRecord(Random random) {
    String[] names = {"id", "Id", " id", "id ", "é", "É", "x y", "0", "-1.5e3", "true", "null"};
    String name = names[random.nextInt(names.length)];
    boolean bare = name.matches("[-0-9.e]+|true|null") && random.nextBoolean();
    String number = Integer.toString(random.nextInt(2000));
    String key = bare ? name : name + number;
    String value = bare ? name : quoted(random, key);
    String before = random.nextBoolean() ? "" : "'n':[1,{'user':{'id':0}}], ";
    String after = random.nextBoolean() ? "" : ",'text':'a \\'b\\' {}'";
    return new Rec(
        json(before.isEmpty() ? "{" : "{" + before)
            + "\"user\" :{\"id\":"
            + value
            + "}"
            + json(after)
            + "}"
            + (random.nextInt(9) == 0 ? "\r\n" : "\n"),
        key);
  }

  /** A JSON string; some characters are written as escapes, which does not change the text. */
  private static String quoted(Random random, String text) {
    boolean escape = random.nextInt(4) == 0;
    return text.chars()
        .mapToObj(
            c -> escape ? String.format(Locale.ROOT, "\\u%04x", c) : Character.toString((char) c))
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static Rec csvRecord(Random random, String separator) {
    String[] keys = {"a", "b\nb", "c\"c", "d" + separator + "d", "", " e", "é", "\r"};
    String key = keys[random.nextInt(keys.length)] + random.nextInt(1500);
    boolean plain = !key.matches("(?s).*[\"\r\n,;\t].*") && random.nextBoolean();
    String column = plain ? key : '"' + key.replace("\"", "\"\"") + '"';
    String first = random.nextBoolean() ? "x" : "\"x\n\"";
    String end = random.nextInt(5) == 0 ? "\r\n" : "\n";
    return new Rec(String.join(separator, first, column, "1") + end, key);
  }

  private static byte[] firsts(List<Rec> records, Function<String, String> normal) {
    Set<String> seen = new HashSet<>();
    return all(records.stream().filter(r -> seen.add(normal.apply(r.key()))).toList());
  }

  private static byte[] all(List<Rec> records) {
    return bytes(records.stream().map(Rec::text).collect(Collectors.joining()));
  }

  private Path write(String name, List<Rec> records) throws IOException {
    return Files.write(dir.resolve(name), all(records));
  }

  private static byte[] randomLines(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append(random.nextInt(60_000)).append('\n');
    }
    return bytes(text.toString());
  }

  private static List<String> lines(byte[] bytes) {
    return new String(bytes, ISO_8859_1).lines().toList();
  }

  /** To compare what has any order: AssertJ's own way takes the square of the time. */
  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static byte[] pack(byte[] bytes, String suffix) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (suffix) {
          case ".gz" -> new GZIPOutputStream(packed);
          case ".xz" -> new XZOutputStream(packed, new LZMA2Options(1));
          case ".bz2" -> new BZip2CompressorOutputStream(packed);
          case ".lz4" -> new LZ4FrameOutputStream(packed);
          default -> new ZstdOutputStream(packed);
        }) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] unpack(Path file) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(Files.readAllBytes(file));
    String name = file.toString();
    if (name.endsWith(".gz")) {
      return new GZIPInputStream(in).readAllBytes();
    }
    if (name.endsWith(".xz")) {
      return new XZInputStream(in).readAllBytes();
    }
    if (name.endsWith(".bz2")) {
      return new BZip2CompressorInputStream(in).readAllBytes();
    }
    if (name.endsWith(".lz4")) {
      return new LZ4FrameInputStream(in).readAllBytes();
    }
    return name.endsWith(".zst") ? new ZstdInputStream(in).readAllBytes() : in.readAllBytes();
  }

  private static Run bloom(String... args) {
    List<String> all = new ArrayList<>(List.of("--kind", "bloom"));
    all.addAll(Arrays.asList(args));
    return Run.here(NOTHING, all.toArray(String[]::new));
  }

  /** What comes out for a text in which each ' stands for a " if it is JSON. */
  private static String text(String input, String... args) {
    boolean isJson = Arrays.toString(args).contains("jsonl");
    return Run.here(bytes(isJson ? json(input) : input), args).text();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private Path file(String name, String text) throws IOException {
    return Files.write(dir.resolve(name), bytes(text));
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
