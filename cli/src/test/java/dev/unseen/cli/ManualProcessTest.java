package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code unseen man} and {@code unseen completion}, and the completion in bash and zsh. */
final class ManualProcessTest {
  private static final byte[] NOTHING = {};

  @TempDir private Path dir;

  private static Run run(String... args) {
    return Run.here(NOTHING, args);
  }

  /** The long options that a help shows. */
  private static List<String> options(String help) {
    return help.lines()
        .flatMap(line -> Pattern.compile("^ .{5}(--[a-z-]+)").matcher(line).results())
        .map(found -> found.group(1))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "inspect", "merge", "man", "completion"})
  void every_command_has_a_page_with_all_that_its_help_has(String command) {
    Run page = run("man", command);
    assertThat(page.stderr()).isEmpty();
    assertThat(page.exitCode()).isZero();
    assertThat(page.text())
        .startsWith(".TH UNSEEN-" + command.toUpperCase(Locale.ROOT) + " 1 ")
        .contains(".SH NAME\nunseen\\-" + command + " \\- ")
        .contains(".SH EXAMPLES\n.nf\n");
    assertThat(options(run(command, "--help").text()))
        .isNotEmpty()
        .allSatisfy(option -> assertThat(page.text()).contains(bold(option)));
  }

  /** The library that breaks lines would break .gz behind its dot, and ADDRESS:PORT in two. */
  @ParameterizedTest
  @ValueSource(strings = {"dedup", "plan", "inspect", "merge", "man", "completion"})
  void no_line_of_a_help_is_too_long_or_broken_within_a_word(String command) {
    List<String> lines = run("help", command).text().lines().toList();
    assertThat(lines).hasSizeGreaterThan(5);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(lines)
        .noneMatch(line -> line.matches(".*(\\s\\.|[A-Z]:)|\\S+\\.")); // or "was." alone
  }

  @Test
  void the_list_of_commands_has_a_whole_sentence_for_each() {
    assertThat(Commands.all().getSubcommands())
        .hasSize(Commands.NAMES.size())
        .allSatisfy(
            (name, command) ->
                assertThat(command.getCommandSpec().usageMessage().description()[0])
                    .as(name)
                    .endsWith("."));
  }

  @ParameterizedTest
  @CsvSource({"60, 59", "80, 79", "120, 79", "30, 55"})
  void a_help_fits_the_terminal(int terminal, int columns) {
    assertThat(Commands.columns(terminal)).isEqualTo(columns);
    StringWriter help = new StringWriter();
    Commands.all().setUsageHelpWidth(columns).usage(new PrintWriter(help));
    assertThat(help.toString().lines().takeWhile(line -> !line.equals("Examples:")))
        .hasSizeGreaterThan(100)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
  }

  private static String bold(String option) {
    return "\\fB" + option.replace("-", "\\-") + "\\fR";
  }

  @Test
  void the_page_of_unseen_has_its_groups_exit_codes_and_commands() {
    String page = run("man").text();
    assertThat(page)
        .contains(".SS Input\n", ".SS Key\n", ".SS Output\n", ".SS Filter\n", ".SS State\n")
        .contains(".SH EXIT STATUS\n", ".SH ENVIRONMENT\n", "\\fBunseen\\-plan\\fR(1)")
        .contains(".SH COMMANDS\n.nf\n", "\\fBplan\\fR", "\\fBUNSEEN_OPTS\\fR");
    assertThat(options(run("--help").text()))
        .hasSizeGreaterThan(40)
        .allSatisfy(option -> assertThat(page).contains(bold(option)));
  }

  @Test
  void the_page_of_the_lab_has_the_options_of_its_commands() {
    assertThat(run("man", "lab").text())
        .contains(".SH TRACE\n", bold("--synthetic"), ".SH FRONTIER\n", bold("--family"));
  }

  @Test
  void what_there_is_no_page_or_script_for_is_reported() {
    Run man = run("man", "me");
    assertThat(man.stderr())
        .startsWith("unseen: there is no manual page on 'me'; known: unseen, plan, ");
    assertThat(man.exitCode()).isEqualTo(2);
    Run completion = run("completion", "csh");
    assertThat(completion.stderr())
        .startsWith("unseen: shell 'csh' is unknown; known: bash, whose script zsh runs too; try");
    assertThat(completion.exitCode()).isEqualTo(2);
    assertThat(run("completion").stderr()).contains("SHELL").hasLineCount(1);
  }

  private Run in(String shell, String script) throws IOException {
    assumeTrue(
        Run.of(NOTHING, new ProcessBuilder("bash", "-c", "command -v " + shell)).exitCode() == 0,
        () -> "no " + shell + " here");
    Path completion = dir.resolve("completion");
    Run made = run("completion", "bash");
    assertThat(made.stderr()).isEmpty();
    Files.write(completion, made.stdout());
    Files.createFile(dir.resolve("events.log"));
    Path file = Files.writeString(dir.resolve("script"), script);
    ProcessBuilder builder = new ProcessBuilder(shell, file.toString()).directory(dir.toFile());
    builder.environment().put("HOME", dir.toString());
    return Run.of(NOTHING, builder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'unseen pl' | plan",
        "'unseen ev' | events.log",
        "'unseen --dup' | --duplicates --duplicates-to",
        "'unseen -f j' | jsonl json",
        "'unseen -o ev' | events.log",
        "'unseen plan --max-f' | --max-fpr --max-fnr",
        "'unseen lab tr' | trace",
        "'unseen lab trace --ki' | --kind",
        "'unseen inspect ev' | events.log",
        "'unseen completion b' | bash",
        "'unseen man mer' | merge",
      })
  void bash_completes_what_is_declared(String line, String expected) throws IOException {
    Run run =
        in(
            "bash",
            "source ./completion; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                    .formatted(line)
                + "_complete_unseen 2>/dev/null; echo \"${COMPREPLY[@]}\"");
    assertThat(run.text().strip()).isEqualTo(expected);
  }

  @Test
  void zsh_runs_the_script_of_bash() throws IOException {
    Run run =
        in(
            "zsh",
            "autoload -U compinit bashcompinit; compinit -u -D; bashcompinit; source ./completion;"
                + " whence -w _complete_unseen");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.text()).isEqualTo("_complete_unseen: function\n");
  }
}
