package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.cli.dedup.Dedup;
import dev.unseen.commands.Suggestion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SuggestionTest {
  private static final byte[] NOTHING = {};

  private static Set<String> options() {
    return Dedup.spec().optionsMap().keySet();
  }

  @ParameterizedTest
  @CsvSource({
    "--wndow, --window",
    "--windwo, --window",
    "--memmory, --memory",
    "--Memory, --memory",
    "--max-fp, --max-fpr",
    "--duplicate-to, --duplicates-to",
    "--ignorecase, --ignore-case",
  })
  void a_typing_error_is_recognized(String typed, String meant) {
    assertThat(Suggestion.of(typed, options())).containsExactly(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-n", "-x", "--regex", "--nonsense", "--", "-", "--numeric", "--sort"})
  void nothing_is_suggested_that_differs_much(String typed) {
    assertThat(Suggestion.of(typed, options())).isEmpty();
  }

  @Test
  void names_that_are_equally_near_are_all_suggested() {
    assertThat(Suggestion.of("--stat", options())).containsExactly("--state", "--stats");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--wndow 1h    | unknown option '--wndow'; did you mean --window?",
        "--wndow=1h    | unknown option '--wndow'; did you mean --window?",
        "--stat json   | unknown option '--stat'; did you mean --stats=json?",
        "--stat x.uns  | unknown option '--stat'; did you mean --state or --stats?",
        "--regex x     | --regex: a key is made of whole fields (--key);",
        "-n            | unknown option '-n'",
        "pln           | 'pln' is neither a file nor a command; did you mean plan?",
        "inspct x.uns  | 'inspct' is neither a file nor a command; did you mean inspect?",
        "serv --port 1 | 'serv' is neither a file nor a command; did you mean serve?",
        "plan --recods 5 | unknown option '--recods'; did you mean --records? Try 'unseen plan",
      })
  void the_command_suggests_what_was_meant(String args, String message) {
    Run run = Run.here(NOTHING, args.split(" "));
    assertThat(run.stderr()).startsWith("unseen: " + message);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void a_file_whose_name_is_nearly_a_command_is_read(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("pln"), "a\n");
    ProcessBuilder there = Run.command("-q", "pln").directory(dir.toFile());
    assertThat(Run.of(NOTHING, there).text()).isEqualTo("a\n");
    ProcessBuilder first = Run.command("pln").directory(dir.toFile());
    assertThat(Run.of(NOTHING, first).text()).isEqualTo("a\n");
    Files.delete(file);
    ProcessBuilder gone = Run.command("dedup", "pln").directory(dir.toFile());
    assertThat(Run.of(NOTHING, gone).stderr()).contains("cannot read 'pln': No such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "-p 0.5            | max-fpr (0.5) must be 1e-9 to 0.01",
        "-m 2T             | UNSEEN_JAVA_OPTS=-XmxSIZE",
        "--kind blom       | --kind 'blom' is unknown; known: auto, sbf, ",
        "--progress=always | progress 'always' is unknown; known: auto, never",
        "--sharded         | --sharded needs --state, the file to save to",
        "--state x --save-every 0s | --save-every (0s) must be more than 0",
      })
  void a_wrong_value_is_rejected_with_the_names_that_the_shell_has(String args, String message) {
    Run run = Run.here("a\n".getBytes(StandardCharsets.UTF_8), args.split(" "));
    assertThat(run.stderr()).contains(message).doesNotContain("maxFpr", "start Java");
    assertThat(run.stdout()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "$.id   | write 'id' instead",
        "$[0].a | write '[0].a' instead",
        "a.b    | write 'a\\.b' if its name has a dot",
        ".x.y   | write 'x\\.y' if its name has a dot",
        "plain  | which is the key; add it or leave the record out",
      })
  void a_missing_field_may_have_been_written_in_another_way(String key, String hint) {
    byte[] record = "{\"a.b\":1,\"id\":2}\n".getBytes(StandardCharsets.UTF_8);
    Run run = Run.here(record, "-f", "ndjson", "-k", key);
    assertThat(run.stderr()).contains("the record has no field '" + key + "'").contains(hint);
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
