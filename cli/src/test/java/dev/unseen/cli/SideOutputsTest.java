package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.io.Compression;
import dev.unseen.io.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of {@code --duplicates-to} and {@code --rejects-to} are appended to. */
class SideOutputsTest {
  @TempDir Path dir;

  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  private String file(String name) {
    return dir.resolve(name).toString();
  }

  private static String unpacked(Path path) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 12];
    try (Source source = Source.open(path.toString())) {
      for (int n; (n = source.read(buffer, 0, buffer.length)) >= 0; ) {
        all.write(buffer, 0, n);
      }
    }
    return all.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"nosuchfile,1", "--nosuchoption,2", "--state STATE -m 1M,3", "-k 1 -f lines,2"})
  void a_run_that_does_not_start_leaves_them_as_they_were(String args, int exitCode)
      throws IOException {
    run("a\n", "-q", "-m", "2M", "--state", file("state"));
    for (String name : new String[] {"twice", "bad", "twice.gz"}) {
      Path older = Files.writeString(dir.resolve(name), "keep\n");
      String option = name.equals("bad") ? "--rejects-to" : "--duplicates-to";
      String all = "-q --on-error skip %s %s %s".formatted(option, older, args);
      Run run = run("", all.replace("STATE", file("state")).split(" "));
      boolean mixed = name.endsWith(".gz") && exitCode == 1;
      assertThat(run.exitCode()).as(run.stderr()).isEqualTo(mixed ? 1 : exitCode);
      assertThat(older).hasContent("keep");
    }
  }

  @Test
  void a_second_run_appends() throws IOException {
    String[] args = {"-q", "--state", file("state"), "--duplicates-to", file("twice")};
    assertThat(run("a\na\n", args).text()).isEqualTo("a\n");
    assertThat(run("a\nb\nb\n", args).text()).isEqualTo("b\n");
    assertThat(Files.readString(dir.resolve("twice"))).isEqualTo("a\na\nb\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"twice.csv", "twice.csv.gz", "twice.csv.zst", "twice.csv.lz4"})
  void a_header_is_written_once(String name) throws IOException {
    String[] args = {"-q", "-f", "csv", "-k", "id", "--duplicates-to", file(name)};
    run("\uFEFFid,x\r\n1,a\r\n1,b", args);
    assertThat(run("id,x\n", args).stderr()).isEmpty();
    assertThat(run("id,x\n2,c\n2,d\n", args).stderr()).isEmpty();
    assertThat(unpacked(dir.resolve(name))).isEqualTo("\uFEFFid,x\r\n1,b\n2,d\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id,y\n", "id,xx\n", "id,\n", "1,1\n", "id"})
  void another_header_is_rejected(String older) throws IOException {
    Path twice = Files.writeString(dir.resolve("twice.csv"), older);
    Run run = run("id,x\n1,a\n1,b\n", "-q", "-fcsv", "-kid", "--duplicates-to", "" + twice);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stderr())
        .contains("the header of '%s' differs from that of stdin".formatted(twice))
        .contains("name another file with --duplicates-to");
    assertThat(run.stdout()).isEmpty();
    assertThat(Files.readString(twice)).isEqualTo(older);
  }

  /** As a run leaves it that was killed while it wrote, or whose disk was full. */
  @Test
  void a_last_line_that_is_cut_off_gets_its_end() throws IOException {
    Path twice = Files.writeString(dir.resolve("twice"), "x\ncut o");
    Path bad = Files.writeString(dir.resolve("bad"), "cut");
    String[] args = {"-q", "-fjsonl", "-kid", "--on-error=skip", "--rejects-to", "" + bad};
    String[] both = Arrays.copyOf(args, args.length + 2);
    both[args.length] = "--duplicates-to";
    both[args.length + 1] = twice.toString();
    run("{\"id\":1}\n", both);
    assertThat(Files.readString(twice)).isEqualTo("x\ncut o");
    run("{\"id\":1}\n{\"id\":1}\n7\n", both);
    assertThat(Files.readString(twice)).isEqualTo("x\ncut o\n{\"id\":1}\n");
    assertThat(Files.readString(bad)).isEqualTo("cut\n7\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "xz", "zst", "bz2", "lz4"})
  void a_compressed_file_that_is_cut_off_is_kept_and_a_new_one_begins(String suffix)
      throws IOException {
    String args = "--duplicates-to " + file("twice." + suffix);
    run("a\na\n", args.split(" "));
    Path twice = dir.resolve("twice." + suffix);
    byte[] whole = Files.readAllBytes(twice);
    byte[] cut = Arrays.copyOf(whole, whole.length - 3);
    for (String aside : new String[] {".damaged", ".damaged-2"}) {
      Files.write(twice, cut);
      Run run = run("b\nb\n", args.split(" "));
      assertThat(run.exitCode()).isZero();
      assertThat(run.stderr())
          .contains("the file is kept as '%s%s', and a new one begins".formatted(twice, aside));
      assertThat(Path.of(twice + aside)).hasBinaryContent(cut);
      assertThat(unpacked(twice)).isEqualTo("b\n");
    }
  }

  @Test
  void compressed_parts_are_appended_to_compressed_files_only() throws IOException {
    Path plain = Files.writeString(dir.resolve("twice.gz"), "plain\n");
    Path packed = dir.resolve("twice");
    try (OutputStream gzip = Compression.compress("x.gz", Files.newOutputStream(packed))) {
      gzip.write("packed\n".getBytes(UTF_8));
    }
    for (Path older : new Path[] {plain, packed}) {
      byte[] before = Files.readAllBytes(older);
      Run run = run("a\na\n", "-q", "--duplicates-to", older.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.stderr()).contains("not compressed in the way that its name says");
      assertThat(older).hasBinaryContent(before);
    }
  }

  /** A limit on the size of files is what a full disk is to a process. */
  @Test
  void a_full_disk_leaves_what_was_there() throws IOException {
    Path older = Files.writeString(dir.resolve("twice"), "keep\n");
    String command =
        Run.command("-q", "-m", "8M", "--duplicates-to", "twice").command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    String script = "ulimit -f 200; (seq 200000; seq 200000) | " + command + " | tail -1";
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", script + "; exit ${PIPESTATUS[1]}")
            .directory(dir.toFile());
    Run run = Run.of(new byte[0], Run.plain(builder));
    assertThat(run.stderr()).contains("cannot write 'twice': ");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.readString(older)).startsWith("keep\n1\n2\n3\n");
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "-f lines | a\\na\\nb | a\\nb\\n | a\\n",
        "-f csv -k 1 | a,1\\na,2\\nb,1 | a,1\\nb,1\\n | a,2\\n",
        "-f csv -k id | id | id\\n | id\\n",
        "-f tsv -k 1 | a\\t1\\nb\\t1 | a\\t1\\nb\\t1\\n | ''",
        "-f jsonl -k id | {\"id\":1}\\n{\"id\":1} | {\"id\":1}\\n | {\"id\":1}\\n",
        "-f json -k id | [{\"id\":1},{\"id\":1}] | {\"id\":1}\\n | {\"id\":1}\\n",
        "-f json -k id --on-error pass | {\"id\":1} {\"x | {\"id\":1}\\n{\"x\\n | ''",
        "-z | a\\0a\\0b\\n | a\\0b\\n\\0 | a\\0",
        "-f csv -k 1 --on-error pass | a\\n\"b | a\\n\"b\\n | ''",
        "-f csv -k 1 --on-error pass | a\\n\"b\\n | a\\n\"b\\n | ''",
        "-f csv | '' | '' | ''",
        "-f csv -k 1 | \uFEFF | \uFEFF | \uFEFF",
        "--tag t | a\\na | new\\ta\\nduplicate\\ta\\n | a\\n",
      },
      delimiter = '|')
  void every_output_ends_with_a_line_end(String args, String in, String out, String twice)
      throws IOException {
    String all = "-q %s --duplicates-to %s".formatted(args, file("twice"));
    Run run = run(unescaped(in), all.split(" "));
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text()).isEqualTo(unescaped(out));
    assertThat(Files.readString(dir.resolve("twice"))).isEqualTo(unescaped(twice));
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0");
  }
}
