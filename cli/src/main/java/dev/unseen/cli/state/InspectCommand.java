package dev.unseen.cli.state;

import static dev.unseen.commands.RecordArguments.files;
import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.help;
import static picocli.CommandLine.Model.UsageMessageSpec.keyValuesMap;

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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code unseen inspect}: reads states to their last byte, and shows what is in them. */
public final class InspectCommand implements Callable<Integer> {
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  /** Returns the declaration. */
  public static CommandSpec declaration() {
    CommandSpec spec = new InspectCommand().spec;
    spec.addPositional(files("1..*", "Show these states."));
    spec.addOption(
        flag("--json")
            .description("Print JSON: an object for one FILE, an array for several.")
            .build());
    spec.addOption(help().build());
    spec.usageMessage()
        .sortOptions(false)
        .description("Checks saved states to the last byte, and shows what is in them.")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(
            keyValuesMap(
                "0:All states are whole.",
                "1:A file could not be read.",
                "2:The command line is wrong.",
                "3:A file is damaged, or is not a state."))
        .footer(
            "",
            "Examples:",
            "  unseen inspect clicks.uns",
            "  unseen inspect clicks.uns --json | jq .estimatedFpr",
            "  unseen inspect states/*.uns --json | jq '.[] | {file, load}'");
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    ParseResult line = spec.commandLine().getParseResult();
    List<String> files = line.matchedPositionals().get(0).stringValues();
    boolean json = line.hasMatchedOption("--json");
    PrintWriter out = spec.commandLine().getOut();
    boolean several = files.size() > 1;
    int worst = CliException.OK;
    if (json && several) {
      out.print("[ ");
    }
    boolean first = true;
    for (String name : files) {
      Path file = Path.of(name);
      if (json && !first) {
        out.print(", ");
      } else if (!json && several) {
        out.printf("%s==> %s <==%n", first ? "" : "\n", file);
      }
      worst = Math.max(worst, inspect(file, json, out));
      first = false;
    }
    if (json) {
      out.println(several ? " ]" : "");
    }
    out.flush();
    return worst;
  }

  /** Shows a state, or prints what is wrong with it; returns the exit code. */
  private int inspect(Path file, boolean json, PrintWriter out) throws IOException {
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
