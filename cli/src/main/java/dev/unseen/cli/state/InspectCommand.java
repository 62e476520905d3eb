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
    name = "unseen inspect",
    description = {
      "Reads a saved state to its last byte, checks it, and tells what is in it. Changes nothing.",
      ""
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  unseen inspect clicks.uns",
      "  unseen inspect clicks.uns --json | jq .estimatedFpr",
      "",
      "Exit code: 0 whole; 1 it cannot be read; 2 wrong usage; 3 damaged, or no state."
    })
final class InspectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The state.")
  private Path file;

  @Option(names = "--json", description = "One object, for programs.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
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
