package dev.unseen.cli.manual;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen completion}: prints the script by which bash completes the command line. */
@Command(
    name = "completion",
    description = {
      "Prints the completion script for bash.",
      "zsh runs it too, after autoload -U +X bashcompinit && bashcompinit."
    },
    sortOptions = false,
    footer = {"", "Examples:", "  source <(unseen completion bash)"})
public final class CompletionCommand implements Callable<Integer> {
  private static final String BASH = "bash";

  private final Manual manual;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "The shell: bash.")
  private String shell;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  /** Creates the command. */
  public CompletionCommand(Manual manual) {
    this.manual = manual;
  }

  /** The shells, for completion. */
  static final class Shells extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Shells() {
      super(List.of(BASH));
    }
  }

  @Override
  public Integer call() throws IOException {
    if (!shell.equals(BASH)) {
      throw new IllegalArgumentException(
          "shell '%s' is unknown; known: %s, whose script zsh runs too".formatted(shell, BASH));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(manual.completion());
    out.flush();
    return 0;
  }
}
