package dev.unseen.cli.manual;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen completion}: prints the script by which a shell completes the command line. */
@Command(
    name = "completion",
    description = {
      "Prints the completion script for bash, zsh or fish.",
      "unseen install puts the scripts for all three shells where they are found."
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  source <(unseen completion bash)",
      "  unseen completion zsh > ~/.zfunc/_unseen",
      "  unseen completion fish > ~/.config/fish/completions/unseen.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Names.class,
      description = "The shell: bash, zsh or fish.")
  private String shell;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  /** The shells, for completion. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Names() {
      super(Shell.names());
    }
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(Manual.script(Shell.of(shell)));
    out.flush();
    return 0;
  }
}
