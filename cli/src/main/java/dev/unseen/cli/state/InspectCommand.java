package dev.unseen.cli.state;

import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.SnapshotException;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen inspect}: reads a state to its last byte, and tells what is in it. */
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
      "  unseen inspect clicks.uns --json | jq .estimatedFpr"
    })
public final class InspectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Show this state.")
  private Path file;

  @Option(names = "--json", description = "Print JSON, for programs.")
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
    Instant now = Instant.now();
    try {
      Snapshot state = StateFile.check(file);
      if (json) {
        InspectJson.print(file, Files.size(file), state, now, out);
      } else {
        out.print(InspectText.of(file, Files.size(file), state, now));
      }
      out.flush();
      return 0;
    } catch (SnapshotException e) {
      if (json) {
        InspectJson.printDamaged(file, e.getMessage(), out);
      }
      throw e;
    }
  }
}
