package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a run ends, and what its surroundings tell it. */
class RunEndProcessTest {
  @TempDir Path dir;

  private static Run run(String input, Map<String, String> variables, String... args) {
    ProcessBuilder builder = Run.command(args);
    builder.environment().putAll(variables);
    return Run.of(input.getBytes(UTF_8), builder);
  }

  private static Run run(String input, String... args) {
    return Run.here(input.getBytes(UTF_8), args);
  }

  @Test
  void the_first_duplicate_ends_a_run_that_must_have_none() throws IOException {
    Path out = Files.writeString(dir.resolve("out"), "older\n");
    String[] args = {"--fail-on-duplicate", "--duplicates-to", dir.resolve("twice").toString()};
    Run run = run("a\nb\na\nc\nb\n", args);
    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.text()).isEqualTo("a\nb\n");
    assertThat(dir.resolve("twice")).hasContent("a");
    assertThat(run.stderr())
        .startsWith("unseen: record 3 is a duplicate\nunseen: 3 records, 2 new");
    Run kept = run("a\na\n", "-q", "--fail-on-duplicate", "-o", out.toString());
    assertThat(kept.exitCode()).isEqualTo(4);
    assertThat(out).hasContent("older");
    assertThat(run("a\nb\n", args).exitCode()).isZero();
  }

  /** It need not read an input that never ends. */
  @Test
  void the_first_duplicate_ends_an_endless_run() throws IOException {
    Process process = Run.command("-q", "--fail-on-duplicate").start();
    process.getOutputStream().write("a\na\n".getBytes(UTF_8));
    process.getOutputStream().flush();
    assertThat(Run.exitCode(process)).isEqualTo(4);
  }

  @Test
  void a_run_that_ends_at_a_duplicate_counts_nothing_after_it() {
    Path rejects = dir.resolve("rejects");
    String options = "-f jsonl -k id --fail-on-duplicate --on-error skip --rejects-to " + rejects;
    Run run = run("{\"id\":1}\nx\n{\"id\":1}\ny\nz\n", options.split(" "));
    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.stderr()).contains("1 record skipped (1 line, ");
    assertThat(rejects).hasContent("x");
  }

  @Test
  void a_run_that_ends_at_a_duplicate_leaves_the_state_before_it() {
    String state = dir.resolve("state").toString();
    run("a\n", "-q", "-m", "1M", "--state", state);
    assertThat(run("b\na\n", "-q", "--fail-on-duplicate", "--state", state).exitCode())
        .isEqualTo(4);
    assertThat(run("a\nb\n", "-q", "--state", state).text()).isEqualTo("b\n");
  }

  @Test
  void repeated_keys_come_out_once_each_as_of_uniq() {
    assertThat(run("a\nb\na\nc\na\nb\n", "-q", "--repeated").text()).isEqualTo("a\nb\n");
    assertThat(run("a\nb\na\nc\na\nb\n", "-q", "--repeated", "-c").text()).isEqualTo("2\n");
    assertThat(run("id\n1\n2\n1\n1\n", "-q", "-f", "csv", "-k", "id", "--repeated").text())
        .isEqualTo("id\n1\n");
    Run both = run("a\n", "--repeated", "-d");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.stderr()).contains("it goes neither with --tag nor with --duplicates");
  }

  @Test
  void repeated_keys_are_known_over_runs() {
    String[] args = {"-q", "--repeated", "--state", dir.resolve("state").toString(), "-m", "1M"};
    assertThat(run("a\nb\na\n", args).text()).isEqualTo("a\n");
    assertThat(run("a\nb\nb\n", args).text()).isEqualTo("b\n");
  }

  @Test
  void a_variable_sets_options_that_the_command_line_amends() {
    Map<String, String> variables = Map.of("UNSEEN_OPTS", "-q --kind 'bloom' -m 1\"M\"");
    assertThat(run("a\nb\na\n", variables).text()).isEqualTo("a\nb\n");
    assertThat(run("a\nb\na\n", variables).stderr()).isEmpty();
    assertThat(run("a\n", variables, "--stats", "-m", "2M").stderr())
        .contains("bloom filter, 2 MiB");
    Run open = run("a\n", Map.of("UNSEEN_OPTS", "-t '"));
    assertThat(open.exitCode()).isEqualTo(2);
    assertThat(open.stderr()).contains("UNSEEN_OPTS has an opening ' without a closing one");
  }

  /** Who has set them long ago does not see them on the command line. */
  @Test
  void options_of_the_environment_are_named_when_the_command_line_is_wrong() {
    Map<String, String> variables = Map.of("UNSEEN_OPTS", " --memry 1M ");
    assertThat(run("a\n", variables, "-q").stderr())
        .isEqualTo(
            "unseen: unknown option '--memry'; did you mean --memory?"
                + " (UNSEEN_OPTS adds: --memry 1M)\ntry 'unseen --help'\n");
  }

  @Test
  void no_name_in_a_message_steers_the_terminal() throws IOException {
    Run run = Run.here("\u001B[31mid\u0007,b\n1,2\n".getBytes(UTF_8), "-f", "csv", "-k", "x");
    assertThat(run.stderr()).isEqualTo("unseen: stdin has no column 'x'; it has 2: ?[31mid?, b\n");
    Path file = Files.writeString(dir.resolve("in"), "\u001B[31mid\u0007,b\n1,2\n");
    Run plan = Run.here("plan", "-f", "csv", "-k", "x", file.toString());
    assertThat(plan.stderr()).endsWith(" has no column 'x'; it has 2: ?[31mid?, b\n");
  }

  @Test
  void a_state_may_be_saved_as_rarely_as_one_likes() {
    String state = dir.resolve("rare").toString();
    Run run = run("a\na\n", "-q", "-m", "1M", "--state", state, "--save-every", "200000d");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text()).isEqualTo("a\n");
  }

  @ParameterizedTest
  @CsvSource({"true,,true", "true,1,false", "false,,false"})
  void colours_are_for_terminals_and_those_who_want_them(
      boolean terminal, String noColour, boolean coloured) {
    ProcessBuilder builder = Run.command("--nonsense");
    builder.command().add(1, "-Dunseen.terminal=" + terminal);
    builder.environment().put("TERM", "xterm");
    builder.environment().put("NO_COLOR", noColour == null ? "" : noColour);
    String printed = Run.of(new byte[0], builder).stderr();
    assertThat(printed.startsWith("\u001B[1;31munseen:\u001B[0m unknown option"))
        .isEqualTo(coloured);
    assertThat(printed.startsWith("unseen: unknown option")).isEqualTo(!coloured);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "help plan",
        "plan --help",
        "inspect --help",
        "plan --memory 1M --records 1e6 --distinct 0.5",
        "inspect STATE",
        "inspect --json STATE",
        "merge STATE STATE -o OUT",
        "-c IN"
      })
  void what_cannot_be_printed_on_a_full_disk_is_a_failure(String command) throws IOException {
    assumeTrue(new File("/dev/full").exists(), "no such device here");
    String state = dir.resolve("state").toString();
    run("a\n", "-q", "-m", "1M", "--state", state);
    String in = Files.writeString(dir.resolve("in"), "a\n").toString();
    String line =
        command.replace("STATE", state).replace("OUT", dir + "/merged").replace("IN", "-q " + in);
    ProcessBuilder builder = Run.command(line.split(" ", -1));
    builder.redirectOutput(new File("/dev/full"));
    Run run = Run.of(new byte[0], builder);
    assertThat(run.stderr()).endsWith("unseen: cannot write stdout: No space left on device\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
