package dev.unseen.cli.manual;

import static dev.unseen.commands.RecordArguments.help;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code unseen man}: shows a manual page on a terminal, and prints its source elsewhere. */
public final class ManCommand implements Callable<Integer> {
  /** Set by the launcher if stdout is a terminal, which Java 17 cannot find out. */
  private static final String ON_TERMINAL = "unseen.output.terminal";

  private static final String UNSEEN = "unseen";

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  private final Manual manual;
  private final List<String> commands;

  private ManCommand(Manual manual, List<String> commands) {
    this.manual = manual;
    this.commands = commands;
  }

  /** Returns the declaration of the command, with pages for these commands. */
  public static CommandSpec declaration(Manual manual, List<String> commands) {
    CommandSpec spec = new ManCommand(manual, commands).spec;
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("0..1")
            .paramLabel("COMMAND")
            .type(String.class)
            .completionCandidates(commands)
            .description("The command to read about. Default: unseen itself.")
            .build());
    spec.addOption(help().build());
    spec.usageMessage()
        .sortOptions(false)
        .description(
            "Shows the manual page of unseen, or of one of its commands.",
            "On a terminal man(1) shows the page. Otherwise its source is printed, for man or"
                + " groff.")
        .footer(
            "",
            "Examples:",
            "  unseen man plan",
            "  unseen man > unseen.1",
            "  unseen man plan | groff -man -Tutf8 | less -R");
    return spec;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String command = spec.commandLine().getParseResult().matchedPositionalValue(0, UNSEEN);
    if (!command.equals(UNSEEN) && !commands.contains(command)) {
      throw new IllegalArgumentException(
          "there is no manual page on '%s'; known: unseen, %s"
              .formatted(command, String.join(", ", commands)));
    }
    String page = manual.page(command);
    if (!Boolean.getBoolean(ON_TERMINAL) || !show(page)) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(page);
      out.flush();
    }
    return 0;
  }

  /** Lets man show the page; returns false if man is missing. */
  private static boolean show(String page) throws IOException, InterruptedException {
    Path file = Files.createTempFile("unseen-", ".1");
    try {
      Files.writeString(file, page);
      return new ProcessBuilder("man", file.toString()).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false; // no man, or none that can be started
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
