package dev.unseen.cli.state;

import static dev.unseen.commands.RecordArguments.files;
import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.help;
import static dev.unseen.commands.RecordArguments.value;
import static picocli.CommandLine.Model.UsageMessageSpec.keyValuesMap;

import dev.unseen.Report;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code unseen merge}: joins states of equal filters into one that knows the keys of all. */
public final class MergeCommand implements Callable<Integer> {
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  /** Returns the declaration. */
  public static CommandSpec declaration() {
    CommandSpec spec = new MergeCommand().spec;
    spec.addPositional(files("2..*", "Join these states, two or more."));
    for (OptionSpec.Builder option :
        List.of(
            value("FILE", "-o", "--output")
                .required(true)
                .description(
                    "Write the result to FILE, which must not exist unless --force is given."),
            value("E", "--max-fpr")
                .description(
                    "Reject a result that drops more than this share of new records (0 to 1)."
                        + " Default: what the states allow."),
            flag("--grow")
                .description(
                    "Join states of other sizes and options, too: the result has the filter of the"
                        + " first, and consults the others until their keys cannot matter."),
            flag("--force")
                .description(
                    "Write the result even if it drops too many new records, and even if FILE"
                        + " exists."),
            help())) {
      spec.addOption(option.build());
    }
    spec.usageMessage()
        .sortOptions(false)
        .description(
            "Joins states of equal filters into one that knows the keys of all.",
            "With --grow the filters may differ in size and other options.")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(
            keyValuesMap(
                "0:The result is written.",
                "1:A file could not be read or written.",
                "2:The command line is wrong, or the result is rejected.",
                "3:A state is damaged, in use, or belongs to another filter."))
        .footer(
            "",
            "Examples:",
            "  unseen merge monday.uns tuesday.uns -o both.uns",
            "  unseen merge shard-*.uns -o all.uns --max-fpr 1e-3");
    return spec;
  }

  @Override
  public Integer call() throws IOException, CliException {
    ParseResult line = spec.commandLine().getParseResult();
    GivenOptions given = GivenOptions.of(line);
    boolean force = given.isGiven("--force");
    Path output = Path.of(given.text("--output").orElseThrow());
    if (Files.exists(output) && !force) {
      throw new IllegalArgumentException(
          "%s already exists; choose another output, or replace it with --force".formatted(output));
    }
    PrintWriter out = spec.commandLine().getOut();
    StringBuilder table = new StringBuilder();
    row(table, "records", "load", "estimated FPR", "state");
    Snapshot result = null;
    for (String name : line.matchedPositionals().get(0).stringValues()) {
      Path file = Path.of(name);
      Snapshot state = StateFile.read(file);
      row(table, file, state);
      if (result == null) {
        result = state;
      } else {
        reportConflicts(result, file, state);
        result = merged(result, state, file, given.isGiven("--grow"));
      }
    }
    String maxFpr = given.text("--max-fpr").orElse(null);
    double allowed = maxFpr == null ? result.maxFpr() : Parse.share("--max-fpr", maxFpr);
    row(table, output, result);
    double fpr = result.filter().estimatedFpr();
    if (fpr > allowed && !force) {
      throw new IllegalArgumentException(
          "the result would drop %s, and %s is allowed; nothing was written: use --force, or begin again with more memory"
              .formatted(Print.portion(fpr, "new record"), Print.rate(allowed)));
    }
    try (StateFile file = StateFile.open(output)) {
      file.save(result);
    }
    out.printf(Locale.ROOT, "%s%n%s%n%s%n", result.spec().describe(), table, effect(result));
    Report.of(result).handover().ifPresent(handover -> out.printf("%s%n", handover));
    out.flush();
    return 0;
  }

  private static Snapshot merged(Snapshot result, Snapshot state, Path file, boolean grow)
      throws CliException {
    boolean alike = result.spec().equals(state.spec()) && result.shards() == state.shards();
    try {
      return alike || !grow
          ? Snapshot.merge(result, state)
          : Snapshot.mergeDifferent(result, state);
    } catch (IllegalArgumentException e) {
      boolean couldGrow = !alike && !grow && result.spec().hashesLike(state.spec());
      throw CliException.state(
          "%s: %s%s"
              .formatted(
                  file,
                  e.getMessage(),
                  couldGrow ? "; with --grow they need not be of equal size and options" : ""),
          e);
    }
  }

  private static void row(StringBuilder table, Path file, Snapshot state) {
    row(
        table,
        String.format(Locale.ROOT, "%,d", state.records()),
        Print.load(state.filter().load(), 3),
        Print.rate(state.filter().estimatedFpr()),
        file);
  }

  private static void row(StringBuilder table, Object... cells) {
    table.append(String.format(Locale.ROOT, "%15s %10s %15s  %s%n", cells));
  }

  private void reportConflicts(Snapshot before, Path file, Snapshot state) {
    PrintWriter err = spec.commandLine().getErr();
    for (Map.Entry<String, String> text : state.metadata().entrySet()) {
      String kept = before.metadata().get(text.getKey());
      if (kept != null && !Objects.equals(kept, text.getValue())) {
        err.printf(
            "unseen: %s: the text '%s' is '%s' in this state; the first one, '%s', is kept%n",
            file, Print.plain(text.getKey()), Print.plain(text.getValue()), Print.plain(kept));
      }
    }
    if (before.audit().isPresent() || state.audit().isPresent()) {
      err.printf(
          "unseen: %s: the result has no audit, because no audit has seen the records of the other states%n",
          file);
    }
  }

  private static String effect(Snapshot result) {
    return switch (result.spec().kind().mergeEffect()) {
      case EXACT -> "The result is the same as that of one filter that has seen all records.";
      case FORGETS ->
          "The latest keys of all states are kept. Where a line had no room, the oldest keys are evicted.\n"
              + "New records are dropped no more often than allowed; more duplicates may pass.";
      case FILLS ->
          "No key is evicted. New records are dropped more often, as the load shows,\n"
              + "until the filter has evicted as many keys as it usually does.";
    };
  }
}
