package dev.unseen.cli;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where records go when a shell gives the places: pipes, descriptors, links, files in two roles.
 */
class OutputProcessTest {
  private static final String ABA = "printf 'a\\nb\\na\\n' | unseen -q -m 1M ";

  @TempDir Path dir;

  /** Runs a script in which {@code unseen} is the command, in the directory. */
  private Run bash(String script) {
    String command =
        Run.command().command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    String function = "unseen() { %s \"$@\"; }\n".formatted(command);
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", function + script);
    return Run.of(new byte[0], Run.plain(builder.directory(dir.toFile())));
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void process_substitution_gets_the_records() {
    Run run = bash(ABA + "-o >(wc -l >n) --duplicates-to >(gzip >d.gz); sleep 1; cat n; zcat d.gz");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text().replace(" ", "")).isEqualTo("2\na\n");
  }

  @Test
  void a_named_pipe_gets_the_records_and_stays_a_pipe() {
    Run run =
        bash(
            "mkfifo p; cat p >got & "
                + ABA
                + "-o p --state s; wait; cat got; [ -p p ] && echo pipe");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text()).isEqualTo("a\nb\npipe\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"})
  void the_names_of_standard_output_are_standard_output(String name) throws IOException {
    assertThat(bash(ABA + "-o " + name).text()).isEqualTo("a\nb\n");
    Run twice = bash(ABA + "-o out --duplicates-to " + name);
    assertThat(twice.text()).isEqualTo("a\n");
    assertThat(dir.resolve("out")).hasContent("a\nb");
  }

  /** The shell's file is the one that is written to, and nothing takes its place. */
  @Test
  void standard_output_that_is_a_file_is_appended_to_as_the_shell_said() throws IOException {
    file("log", "before\n");
    bash(ABA + "-o /dev/stdout >>log");
    assertThat(dir.resolve("log")).hasContent("before\na\nb");
    bash(ABA + "--duplicates-to /dev/fd/3 3>>log");
    assertThat(dir.resolve("log")).hasContent("before\na\nb\na");
    assertThat(names()).containsExactly("log");
  }

  @Test
  void standard_error_takes_duplicates() {
    Run run = bash(ABA + "--duplicates-to /dev/stderr");
    assertThat(run.text()).isEqualTo("a\nb\n");
    assertThat(run.stderr()).isEqualTo("a\n");
  }

  /** Who reads the records is not the one that has gone, and must not get less of them. */
  @ParameterizedTest
  @ValueSource(strings = {">out", "-o out"})
  void a_reader_of_duplicates_that_goes_away_is_an_error(String main) {
    Run run =
        bash(
            "(seq 100000; seq 100000; echo last) | unseen -q -m 8M --duplicates-to >(head -1) "
                + main
                + " | cat; exit ${PIPESTATUS[1]}");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stderr())
        .startsWith("unseen: cannot write '/dev/fd/")
        .endsWith(
            "': its reader has closed the pipe; let it read to the end, or write to a file\n");
  }

  @Test
  void a_reader_of_rejects_that_goes_away_is_an_error() {
    Run run =
        bash(
            "seq 200000 | unseen -q -m 1M -f jsonl -k id --on-error skip --rejects-to >(head -1)"
                + " | cat; exit ${PIPESTATUS[1]}");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stderr()).contains("its reader has closed the pipe");
  }

  @Test
  void a_reader_of_duplicates_on_standard_output_that_goes_away_is_an_error() {
    Run run =
        bash(
            "(seq 100000; seq 100000) | unseen -q -m 8M -o out --duplicates-to - | head -1;"
                + " exit ${PIPESTATUS[1]}");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.stderr()).startsWith("unseen: cannot write stdout: its reader");
  }

  @Test
  void duplicates_can_be_followed_while_they_come() throws Exception {
    Path twice = dir.resolve("twice");
    Process process = Run.command("-q", "--duplicates-to", twice.toString()).start();
    try (OutputStream input = process.getOutputStream()) {
      input.write("a\na\n".getBytes(UTF_8));
      input.flush();
      await("the duplicate").until(() -> Files.exists(twice) && Files.size(twice) > 0);
      assertThat(twice).hasContent("a");
    }
    assertThat(Run.exitCode(process)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "-o s --state s | --output and --state are the same file: 's'",
        "-o s --state ./sub/../s | --output and --state are the same file",
        "-o a --duplicates-to ./a | --output and --duplicates-to are the same file: './a'",
        "-o a --duplicates-to link | --output and --duplicates-to are the same file: 'link'",
        "-o new --duplicates-to dangling | --output and --duplicates-to are the same file",
        "-o hard --duplicates-to in | --output and --duplicates-to are the same file: 'in'",
        "in --duplicates-to hard | an input and --duplicates-to are the same file: 'hard'",
        "- --duplicates-to hard <in | an input and --duplicates-to are the same file: 'hard'",
        "in --state hard | an input and --state are the same file: 'hard'",
        "-o s.lock --state s | --output and the lock of --state are the same file: 's.lock'",
        "in >>in | an input and standard output are the same file: 'in'",
        "--duplicates-to out >out | standard output and --duplicates-to are the same file: 'out'",
        "--duplicates-to - | --duplicates-to '-' is standard output, where the other records go",
        "-o - --duplicates-to /dev/stdout | '/dev/stdout' is standard output",
        "--on-error skip --rejects-to - | --rejects-to '-' is standard output, where the other records go",
        "-o '' | --output '' is empty; give the name of a file"
      })
  void one_file_in_two_roles_is_rejected_before_it_is_touched(String args, String message)
      throws IOException {
    file("in", "1\n1\n");
    file("a", "old\n");
    file("s", "no state\n");
    Files.createDirectory(dir.resolve("sub"));
    Files.createLink(dir.resolve("hard"), dir.resolve("in"));
    Files.createSymbolicLink(dir.resolve("link"), Path.of("a"));
    Files.createSymbolicLink(dir.resolve("dangling"), Path.of("new"));
    Run run = bash("unseen -q " + args);
    assertThat(run.stderr()).contains(message);
    assertThat(dir.resolve("in")).content().startsWith("1\n1\n");
    assertThat(dir.resolve("a")).hasContent("old");
    assertThat(dir.resolve("s")).hasContent("no state");
    assertThat(dir.resolve("s.lock")).doesNotExist();
    assertThat(dir.resolve("new")).doesNotExist();
  }

  @Test
  void both_outputs_may_be_nowhere() {
    assertThat(bash(ABA + "-o /dev/null --duplicates-to /dev/null; echo $?").text())
        .isEqualTo("0\n");
  }

  @Test
  void an_unfinished_file_is_new_whatever_lies_in_its_way() throws IOException {
    file("precious", "mine\n");
    Files.createSymbolicLink(dir.resolve(".out.1.part"), Path.of("precious"));
    Files.createSymbolicLink(dir.resolve(".out.unseen-00000000.part"), Path.of("precious"));
    assertThat(bash(ABA + "-o out; cat out").text()).isEqualTo("a\nb\n");
    assertThat(dir.resolve("precious")).hasContent("mine");
    assertThat(names())
        .containsExactly(".out.1.part", ".out.unseen-00000000.part", "out", "precious");
  }

  @Test
  void leftovers_of_killed_runs_are_deleted_and_files_of_live_ones_are_not() throws Exception {
    file(".out.unseen-0123abcd.part", "left\n");
    file(".other.unseen-0123abcd.part", "of another output\n");
    Process live = Run.command("-q", "-o", dir.resolve("out").toString()).start();
    try {
      await("its own file, and not the leftover")
          .until(() -> parts() == 2 && !names().contains(".out.unseen-0123abcd.part"));
      assertThat(names()).doesNotContain(".out.unseen-0123abcd.part").hasSize(2);
      assertThat(bash(ABA + "-o out; cat out").text()).isEqualTo("a\nb\n");
      assertThat(parts()).isEqualTo(2);
      live.getOutputStream().write("z\n".getBytes(UTF_8));
      live.getOutputStream().close();
      assertThat(Run.exitCode(live)).isZero();
      assertThat(dir.resolve("out")).hasContent("z");
    } finally {
      live.destroyForcibly();
    }
    assertThat(names()).containsExactly(".other.unseen-0123abcd.part", "out");
  }

  private long parts() throws IOException {
    return names().stream().filter(name -> name.endsWith(".part")).count();
  }

  @Test
  void a_name_of_the_greatest_length_can_be_written() throws IOException {
    String name = "n".repeat(255);
    assertThat(bash(ABA + "-o " + name + "; cat n*").text()).isEqualTo("a\nb\n");
    assertThat(names()).containsExactly(name);
  }

  @Test
  void an_output_in_place_keeps_mode_and_owner_and_warns_of_other_names() throws IOException {
    Path in = file("in", "a\na\n");
    Files.setPosixFilePermissions(in, PosixFilePermissions.fromString("rwxr-x--x"));
    Files.createLink(dir.resolve("hard"), in);
    boolean root = Files.getAttribute(in, "unix:uid").equals(0);
    if (root) {
      Files.setAttribute(in, "unix:uid", 1234);
      Files.setAttribute(in, "unix:gid", 5678);
    }
    Run run = bash("unseen --progress=never in -o in");
    assertThat(in).hasContent("a");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(in)))
        .isEqualTo("rwxr-x--x");
    assertThat(run.stderr())
        .contains("warning: 'in' had 1 other name (hard links), which keep the old content");
    assertThat(dir.resolve("hard")).hasContent("a\na");
    assumeTrue(root, "only the superuser can give a file away");
    assertThat(Files.getAttribute(in, "unix:uid")).isEqualTo(1234);
    assertThat(Files.getAttribute(in, "unix:gid")).isEqualTo(5678);
  }

  @Test
  void an_unfinished_file_is_for_its_owner_alone_if_it_replaces_one() throws Exception {
    Path out = file("out", "secret\n");
    Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rw-------"));
    Process live = Run.command("-q", "-o", out.toString()).start();
    try {
      await("the unfinished file").until(() -> parts() > 0);
      String part = names().stream().filter(name -> name.endsWith(".part")).findFirst().orElse("");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve(part))))
          .isEqualTo("rw-------");
    } finally {
      live.destroyForcibly().waitFor();
    }
  }

  /** A disk of 16 KiB, if we may mount one; else the device that is always full. */
  @Test
  void a_full_disk_is_reported_with_the_name_of_the_file() {
    assertThat(bash("seq 100000 | unseen -q -o /dev/full; echo $?"))
        .satisfies(
            run -> {
              assertThat(run.stderr())
                  .isEqualTo("unseen: cannot write '/dev/full': No space left on device\n");
              assertThat(run.text()).isEqualTo("1\n");
            });
    assertThat(bash("seq 100000 | unseen -q >/dev/full; echo $?").stderr())
        .isEqualTo("unseen: cannot write stdout: No space left on device\n");
    Run limited = bash("ulimit -f 8; trap '' XFSZ; seq 10 | unseen -q -m 1M --state s; echo $?");
    assertThat(limited.stderr())
        .contains("cannot save the state '" + dir.resolve("s") + "'")
        .contains("the state before it is untouched");
    assertThat(limited.text()).endsWith("10\n1\n");
    Run part = bash("ulimit -f 8; trap '' XFSZ; seq 100000 | unseen -q -o out; echo $?");
    assertThat(part.stderr()).isEqualTo("unseen: cannot write 'out': File too large\n");
    assertThat(dir.resolve("out")).doesNotExist();
  }
}
