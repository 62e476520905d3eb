package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.filter.FilterKind;
import dev.unseen.io.RecordReader;
import dev.unseen.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command against an exact oracle: as a process where its streams, its heap, its environment or
 * its exit code are asked for, in this one where only what comes out is. A plain Bloom filter of 64
 * MiB is exact for all that is fed here, and the inputs are fixed: these tests pass always or
 * never.
 */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class CommandTest {
  private static final byte[] NOTHING = {};

  @TempDir Path dir;

  @Nested
  class Output {
    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "\n",
          "\n\n",
          "a",
          "a\n",
          "a\nb\na\n",
          "a\nb\na",
          "a\na",
          "\na\n\nb\n\n",
          "a\r\na\na\r\n",
          "a\0b\na\0c\na\0b\n",
          "é\né\ne\n",
          "a\rb\rc\n",
          "a\n\n",
          "ab\nc\nc",
          "ab\ncd\nab"
        })
    void is_the_first_occurrences_byte_for_byte(String text) {
      byte[] input = text.getBytes(UTF_8);
      assertThat(bloom(input).stdout()).isEqualTo(Oracle.dedup(input));
    }

    @Test
    void keeps_crlf_and_adds_a_missing_final_newline() {
      assertThat(bloom(bytes("a\r\nb\na\r\na\nb\r")).text()).isEqualTo("a\r\nb\na\nb\r\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void is_exact_on_random_bytes_with_long_lines_and_many_duplicates(long seed) {
      byte[] input = generate(new Random(seed), 3_000_000);
      assertThat(bloom(input).stdout()).isEqualTo(Oracle.dedup(input));
    }

    @Test
    void is_exact_on_many_short_lines() {
      StringBuilder text = new StringBuilder();
      Random random = new Random(9);
      for (int i = 0; i < 300_000; i++) {
        text.append(random.nextInt(150_000)).append('\n');
      }
      byte[] input = bytes(text.toString());
      Run run = Run.here(input, "--kind", "bloom");
      assertThat(run.stdout()).isEqualTo(Oracle.dedup(input));
      assertThat(run.exitCode()).isZero();
    }

    @Test
    void is_that_of_all_files_in_order_and_never_glues_two_records() throws IOException {
      Path a = file("a", "1\n2");
      Path b = file("b", "2\n3");
      Path c = file("c", "");
      Path d = file("d", "1\n4");
      Run run =
          Run.here(NOTHING, "-q", "--kind", "bloom", a.toString(), b.toString(), "" + c, "" + d);
      assertThat(run.text()).isEqualTo("1\n2\n3\n4\n");
      assertThat(run.exitCode()).isZero();
    }

    @Test
    void is_exact_over_generated_files_and_stdin_among_them() throws IOException {
      Random random = new Random(12);
      byte[][] inputs = new byte[5][];
      String[] args = new String[inputs.length + 3];
      args[0] = "--kind=bloom";
      args[1] = "-q";
      args[2] = "--";
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = generate(random, random.nextInt(400_000));
        args[i + 3] = Files.write(dir.resolve("in " + i), inputs[i]).toString();
      }
      args[5] = "-";
      assertThat(Run.of(inputs[2], args).stdout()).isEqualTo(Oracle.dedup(inputs));
    }

    @Test
    void is_the_same_from_stdin_a_dash_and_a_file() throws IOException {
      byte[] input = generate(new Random(5), 100_000);
      String path = Files.write(dir.resolve("in"), input).toString();
      byte[] expected = Run.of(input).stdout();
      assertThat(Run.here(input, "-").stdout()).isEqualTo(expected);
      assertThat(Run.here(NOTHING, path).stdout()).isEqualTo(expected);
      Run twice = Run.of(input, "-", "-");
      assertThat(twice.stdout()).isEqualTo(expected);
      assertThat(twice.exitCode()).isZero();
      assertThat(expected).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void of_every_kind_has_each_of_few_lines_once(FilterKind kind) {
      if (kind == FilterKind.SAMPLED) {
        return; // lets the keys that it does not store through each time
      }
      Run run = Run.here(bytes("a\nb\na\nc\nb\n"), "--kind", kind.id());
      assertThat(run.text()).isEqualTo("a\nb\nc\n");
      assertThat(run.stderr()).contains("5 records, 3 new, 2 duplicates").contains(kind.id());
    }

    @Test
    void depends_on_the_seed_alone_when_the_filter_is_full() {
      byte[] input = bytes(lines(20_000));
      byte[] first = Run.here(input, "-m", "1K", "--seed", "7").stdout();
      assertThat(Run.here(input, "-m", "1K", "--seed", "7").stdout()).isEqualTo(first);
      assertThat(Run.here(input, "-m", "1K", "--seed", "-8").stdout()).isNotEqualTo(first);
    }

    @Test
    void comes_out_while_the_input_is_idle() throws IOException {
      Process process = Run.command("-q").start();
      try (OutputStream in = process.getOutputStream()) {
        in.write(bytes("a\nb\nunfinis"));
        in.flush();
        assertThat(process.getInputStream().readNBytes(4)).isEqualTo(bytes("a\nb\n"));
        in.write(bytes("hed\na\n"));
        in.flush();
        assertThat(process.getInputStream().readNBytes(11)).isEqualTo(bytes("unfinished\n"));
        // More than a read brings, and the beginning of another line.
        String many = lines(RecordReader.READ_BYTES / 10);
        in.write(bytes(many + "unfinis"));
        in.flush();
        assertThat(process.getInputStream().readNBytes(many.length())).isEqualTo(bytes(many));
      }
      assertThat(Run.exitCode(process)).isZero();
    }
  }

  @Nested
  class Summaries {
    @Test
    void are_two_lines_on_stderr() {
      Run run = Run.here(bytes("a\nb\na\n"), "--kind", "bloom", "-m", "1M");
      assertThat(run.stderr())
          .matches(
              "unseen: 3 records, 2 new, 1 duplicate in \\d+\\.\\d\\d s \\([^)]+/s\\)\n"
                  + "unseen: bloom filter, 1 MiB, nearly empty; drops practically no new record,"
                  + " passes no duplicate\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-q", "--quiet"})
    void are_left_out_if_asked(String option) {
      assertThat(Run.here(bytes("a\n"), option).stderr()).isEmpty();
    }
  }

  @Nested
  class WrongUsage {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "--kind nonsense | --kind 'nonsense' is unknown; known: auto, sbf, rsbf, bsbf, bsbfsd,"
              + " rlbsbf, bloom, recency, sampled",
          "--memory 12Q    | --memory '12Q' must be a number and a unit, such as 512K, 64M or 2G",
          "-m 0            | --memory (0 bytes) must be 64 bytes to 16 TiB",
          "-m 12           | --memory (12 bytes) must be 64 bytes to 16 TiB",
          "-m 99T          | --memory (108,851,651,149,824 bytes) must be 64 bytes to 16 TiB",
          "--hashes 0      | --hashes (0) must be at least 1",
          "--hashes 99 --kind bloom | --hashes (99) must be 1 to 32 for bloom",
          "--hashes 9999999999 | --hashes '9999999999' must be a whole number",
          "--hashes many   | --hashes 'many' must be a whole number",
          "--seed x        | --seed 'x' must be a whole number of at most 64 bits",
          "--qqqqqq        | unknown option '--qqqqqq'",
          "--memry 1M      | unknown option '--memry'; did you mean --memory?",
          "-x              | unknown option '-x'",
          "-m              | missing required parameter for option '--memory' (SIZE)",
        })
    void is_reported_in_one_message_with_a_hint(String args, String message) {
      Run run = Run.here(bytes("a\n"), args.split(" "));
      assertThat(run.stderr()).isEqualTo("unseen: " + message + "\ntry 'unseen --help'\n");
      assertThat(run.stdout()).isEmpty();
      assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void is_reported_in_english_whatever_the_locale() {
      ProcessBuilder german = Run.command("-m", "99T");
      german.command().add(1, "-Duser.language=de");
      assertThat(Run.of(NOTHING, german).stderr()).contains("(108,851,651,149,824 bytes)");
    }

    @Test
    void is_a_filter_larger_than_the_heap() {
      Run run = Run.of(NOTHING, "-m", "2G");
      assertThat(run.stderr())
          .startsWith("unseen: --memory (2,147,483,648 bytes) must be at most the heap")
          .hasLineCount(2);
      assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void is_not_to_name_an_option_twice_the_last_one_counts() {
      Run run = Run.here(bytes("a\n"), "-m", "nonsense", "--kind=sbf", "-m", "1M", "--kind=bloom");
      assertThat(run.stderr()).contains("bloom filter, 1 MiB");
    }
  }

  @Nested
  class Failures {
    @Test
    void of_a_missing_file_name_it_after_what_came_before_is_written() throws IOException {
      String a = file("a", "1\n2\n").toString();
      Run run = Run.here(NOTHING, a, dir + "/not there", a);
      assertThat(run.text()).isEqualTo("1\n2\n");
      assertThat(run.stderr())
          .isEqualTo("unseen: cannot read '%s/not there': No such file or directory\n", dir);
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void of_a_directory_name_it() {
      Run run = Run.here(NOTHING, dir.toString());
      assertThat(run.stderr()).isEqualTo("unseen: cannot read '%s': Is a directory\n", dir);
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void of_a_file_without_permission_name_it() throws IOException {
      Path secret = file("secret", "x\n");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
      Run run = Run.here(NOTHING, secret.toString());
      if (Files.isReadable(secret)) { // by root, who may read all
        assertThat(run.text()).isEqualTo("x\n");
        assertThat(run.exitCode()).isZero();
      } else {
        assertThat(run.stderr()).isEqualTo("unseen: cannot read '%s': Permission denied\n", secret);
        assertThat(run.exitCode()).isEqualTo(1);
      }
    }

    @Test
    void of_a_line_too_long_name_file_line_and_limit() throws IOException {
      byte[] longest = new byte[RecordReader.MAX_RECORD_BYTES + 2];
      Arrays.fill(longest, (byte) 'x');
      longest[0] = '\n';
      longest[longest.length - 1] = '\n';
      assertThat(Run.of(longest, "-q").stdout()).isEqualTo(longest);

      byte[] tooLong = new byte[RecordReader.MAX_RECORD_BYTES + 3];
      Arrays.fill(tooLong, (byte) 'x');
      tooLong[0] = '\n';
      String path = Files.write(dir.resolve("long"), tooLong).toString();
      Run run = Run.of(NOTHING, path);
      assertThat(run.stdout()).isEqualTo(bytes("\n"));
      assertThat(run.stderr())
          .isEqualTo(
              "unseen: '%s', line 2, column 1: the record is longer than 67,108,864 bytes; raise max-record to"
                  + " allow it, or continue with --on-error skip\n",
              path);
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void of_a_full_disk_are_reported(int lines) {
      File full = new File("/dev/full");
      assumeTrue(full.exists(), "no such device here");
      Run run = Run.of(bytes(lines(lines)), Run.command().redirectOutput(full));
      assertThat(run.stderr()).isEqualTo("unseen: cannot write stdout: No space left on device\n");
      assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void show_their_stack_trace_only_if_asked() {
      ProcessBuilder debug = Run.command("/not/there");
      debug.environment().put("UNSEEN_DEBUG", "1");
      assertThat(Run.of(NOTHING, debug).stderr()).contains("\tat dev.unseen.cli.");
      assertThat(Run.here(NOTHING, "/not/there").stderr()).doesNotContain("\tat ");
    }

    @Test
    void are_not_that_the_reader_of_the_output_goes_away() throws Exception {
      Process process = Run.command().start();
      Thread feeder =
          new Thread(
              () -> {
                try (OutputStream in = process.getOutputStream()) {
                  for (int i = 0; true; i++) { // more than any buffer on the way can hold
                    in.write(bytes(i + "\n".repeat(2)));
                  }
                } catch (IOException e) {
                  // The command has ended: so shall we.
                }
              });
      feeder.start();
      assertThat(process.getInputStream().readNBytes(2)).isEqualTo(bytes("0\n"));
      process.getInputStream().close();

      assertThat(Run.exitCode(process)).isZero();
      assertThat(Run.readAll(process.getErrorStream())).isEmpty();
      feeder.join(Patience.LIMIT.toMillis());
      assertThat(feeder.isAlive()).isFalse();
    }
  }

  @Nested
  class Help {
    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void stands_in_groups_and_knows_every_kind(String option) {
      Run run = Run.here(NOTHING, option);
      assertThat(run.text().lines())
          .hasSizeLessThanOrEqualTo(160)
          .containsSubsequence(
              "Input:", "Key:", "Output:", "Filter:", "State:", "Run:", "Exit codes:", "Examples:");
      assertThat(run.text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
      assertThat(run.text())
          .contains(Arrays.stream(FilterKind.values()).map(FilterKind::id).toList());
      assertThat(run.stderr()).isEmpty();
      assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dedup", "plan", "inspect", "merge", "lab", "man", "completion"})
    void is_there_for_every_command(String command) {
      Run run = Run.here(NOTHING, "help", command);
      assertThat(run.text()).startsWith("Usage: unseen");
      assertThat(run.exitCode()).isZero();
      assertThat(Run.here(NOTHING, "help", "me").stderr())
          .contains(
              "there is no help on 'me'; known: dedup, plan, inspect, merge, flink, kafka, serve, lab");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-V", "--version"})
    void version_is_that_of_the_build(String option) {
      assertThat(Run.here(NOTHING, option).text()).matches("unseen \\d+\\.\\d+\\.\\d+(-\\w+)?\n");
    }
  }

  @Test
  void a_file_whose_name_begins_with_an_at_sign_or_a_dash_is_a_file() throws IOException {
    file("@list", "a\n");
    file("list", "--help\n"); // what @list would mean to picocli
    file("-q", "b\n");
    ProcessBuilder inDir = Run.command("-q", "@list", "--", "-q").directory(dir.toFile());
    assertThat(Run.of(NOTHING, inDir).text()).isEqualTo("a\nb\n");
  }

  private static Run bloom(byte[] input) {
    return Run.here(input, "--kind", "bloom");
  }

  private Path file(String name, String text) throws IOException {
    return Files.write(dir.resolve(name), bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String lines(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("line ").append(i).append('\n');
    }
    return text.toString();
  }

  /** Random lines: of bytes of all values, mostly short, some longer than any buffer; repeated. */
  private static byte[] generate(Random random, int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[][] known = new byte[200][];
    for (int i = 0; i < known.length; i++) {
      int longest = i % 50 == 0 ? 600_000 : 1 << random.nextInt(10);
      known[i] = new byte[random.nextInt(longest)];
      random.nextBytes(known[i]);
    }
    while (out.size() < size) {
      // The rarer the longer.
      byte[] line = known[random.nextInt(known.length)];
      if (line.length < 2000 || random.nextInt(20) == 0) {
        out.writeBytes(line);
        if (random.nextInt(4) == 0) {
          out.writeBytes(Integer.toString(random.nextInt(1000)).getBytes(ISO_8859_1));
        }
        out.write('\n');
      }
    }
    byte[] all = out.toByteArray();
    return random.nextBoolean() ? all : Arrays.copyOf(all, all.length - 1);
  }
}
