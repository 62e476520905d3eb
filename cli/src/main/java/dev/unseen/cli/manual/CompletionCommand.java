package dev.unseen.cli.manual;

import static dev.unseen.commands.RecordArguments.help;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code unseen completion}: prints the script by which bash completes the command line. */
public final class CompletionCommand implements Callable<Integer> {
  private static final String BASH = "bash";

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  private final Manual manual;

  private CompletionCommand(Manual manual) {
    this.manual = manual;
  }

  /** Returns the declaration of the command. */
  public static CommandSpec declaration(Manual manual) {
    CommandSpec spec = new CompletionCommand(manual).spec;
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .required(true)
            .paramLabel("SHELL")
            .type(String.class)
            .completionCandidates(List.of(BASH))
            .description("The shell: bash.")
            .build());
    spec.addOption(help().build());
    spec.usageMessage()
        .sortOptions(false)
        .description(
            "Prints the completion script for bash.",
            "zsh runs it too, after autoload -U +X bashcompinit && bashcompinit.")
        .footer("", "Examples:", "  source <(unseen completion bash)");
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    String shell = spec.commandLine().getParseResult().matchedPositionalValue(0, "");
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
