package dev.unseen.cli.state;

import dev.unseen.commands.CliException;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen inspect}: reads states to their last byte, and shows what is in them. */
@Command(
    name = "inspect",
    description = {"Checks saved states to the last byte, and shows what is in them."},
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:All states are whole.",
      "1:A file could not be read.",
      "2:The command line is wrong.",
      "3:A file is damaged, or is not a state."
    },
    footer = {
      "",
      "Examples:",
      "  unseen inspect clicks.uns",
      "  unseen inspect clicks.uns --json | jq .estimatedFpr",
      "  unseen inspect states/*.uns --json | jq '.[] | {file, load}'"
    })
public final class InspectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Show these states.")
  private List<Path> files;

  @Option(
      names = "--json",
      description = "Print JSON: an object for one FILE, an array for several.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    boolean several = files.size() > 1;
    int worst = CliException.OK;
    if (json && several) {
      out.print("[ ");
    }
    boolean first = true;
    for (Path file : files) {
      if (json && !first) {
        out.print(", ");
      } else if (!json && several) {
        out.printf("%s==> %s <==%n", first ? "" : "\n", file);
      }
      worst = Math.max(worst, inspect(file, out));
      first = false;
    }
    if (json) {
      out.println(several ? " ]" : "");
    }
    out.flush();
    return worst;
  }

  /** Shows a state, or prints what is wrong with it; returns the exit code. */
  private int inspect(Path file, PrintWriter out) throws IOException {
    try {
      Snapshot state = StateFile.check(file);
      if (json) {
        InspectJson.print(file, Files.size(file), state, Instant.now(), out);
      } else {
        out.print(InspectText.of(file, Files.size(file), state, Instant.now()));
      }
      return CliException.OK;
    } catch (IOException e) {
      CliException failure = CliException.of(e);
      if (json) {
        InspectJson.printFailure(file, e instanceof SnapshotException, failure.getMessage(), out);
      }
      out.flush(); // before what stderr says
      PrintWriter err = spec.commandLine().getErr();
      err.println("unseen: " + failure.getMessage());
      err.flush();
      return failure.exitCode();
    }
  }
}
