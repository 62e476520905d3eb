package dev.unseen.cli.plan;

import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.group;
import static dev.unseen.commands.RecordArguments.help;
import static dev.unseen.commands.RecordArguments.value;
import static picocli.CommandLine.Model.UsageMessageSpec.keyValuesMap;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordArguments;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.ErrorLimits;
import dev.unseen.plan.MemoryNeed;
import dev.unseen.plan.Plan;
import dev.unseen.plan.Planner;
import dev.unseen.text.Parse;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code unseen plan}: recommends a filter for a stream, before it runs. */
public final class PlanCommand implements Callable<Integer> {
  private static final int CANNOT_BE_DONE = 2;

  /** The memory of a run without --memory. */
  private static final String DEFAULT_MEMORY = "64M";

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  /** Returns the declaration. */
  public static CommandSpec declaration() {
    CommandSpec spec = new PlanCommand().spec;
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("FILE")
            .type(File.class)
            .arity("0..1")
            .description("Learn the stream from this file; - is standard input.")
            .build());
    spec.addOption(
        value("SIZE", "-m", "--memory")
            .description(
                "Give the filter this much memory: 512K, 64M, 8G. Default: 64M, unless"
                    + " --max-fnr asks for the memory that is needed.")
            .build());
    spec.addOption(help().build());
    spec.addArgGroup(StreamOptions.declared());
    spec.addArgGroup(
        group(
            "Limits",
            value("E", "--max-fpr")
                .description("Drop at most this share of new records by mistake: 1e-4 or 0.1%%."),
            value("E", "--max-fnr")
                .description(
                    "Let at most this share of duplicates through: 0.01 or 1%%. Without --memory,"
                        + " find the memory for it; --max-fpr is then 1e-4 unless given.")));
    spec.addArgGroup(
        group(
            "Output",
            flag("--all")
                .description(
                    "Print every setting of each kind, not only the usual and the best one."),
            flag("--json")
                .description("Print a JSON array with one object per filter, the best first."),
            value("FILE", "--plot")
                .description(
                    "Draw the rates of each kind's best settings into FILE, as SVG or HTML by its"
                        + " suffix.")));
    RecordArguments.declare(spec);
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis(
            "unseen plan [-m SIZE] FILE [OPTIONS]",
            "       unseen plan [-m SIZE] --records N --distinct D [OPTIONS]",
            "       unseen plan (FILE | --records N ...) --max-fpr E --max-fnr E")
        .description(
            "Recommends a filter for a stream, and predicts how often it will be wrong.",
            "Reads FILE for at most 30 seconds and learns from it, or takes your description of the"
                + " stream. No filter is run.",
            "")
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(
            keyValuesMap(
                "0:The plan is printed.",
                "1:A file could not be read or written.",
                "2:The command line is wrong, or no filter keeps within the limits."))
        .footer(
            "",
            "Examples:",
            "  unseen plan events.jsonl -k id",
            "  unseen plan -m 512M --records 1e9 --distinct 0.6",
            "  unseen plan -m 512M --records 1e9 --distinct 100M..800M",
            "  unseen plan -m 64M --endless --repeats-within 5M --max-fpr 1e-4",
            "  unseen plan -m 400K --records 1.6M --loops-over 400K --max-fpr 1e-3",
            "  unseen plan -m 1M access.log --plot plan.svg",
            "  unseen plan --records 1e9 --distinct 60%% --max-fpr 1e-4 --max-fnr 0.01");
    return spec;
  }

  @Override
  public Integer call() throws IOException {
    GivenOptions given = GivenOptions.of(spec.commandLine().getParseResult());
    File file = spec.commandLine().getParseResult().matchedPositionalValue(0, null);
    // A limit for one error alone is met by a filter of next to no memory that is wrong about all
    // others, so memory is searched only between limits for both.
    boolean asksMemory = !given.isGiven("--memory") && given.isGiven("--max-fnr");
    String size = given.text("--memory").orElse(DEFAULT_MEMORY);
    long bytes = Parse.size("memory", size);
    ErrorLimits limits =
        new ErrorLimits(
            share("--max-fpr", given, asksMemory ? FilterSpec.DEFAULT_MAX_FPR : 1),
            share("--max-fnr", given, 1));
    Optional<Path> plot = given.text("--plot").map(Path::of);
    plot.ifPresent(PlanPlot::requireFormat);
    if (plot.isPresent() && asksMemory) {
      throw new IllegalArgumentException("--plot needs --memory: it draws the filters of one size");
    }
    List<DescribedStream> streams =
        new StreamOptions(given, size).streams(file == null ? null : file.getPath());
    if (plot.isPresent() && streams.size() > 1) {
      throw new IllegalArgumentException(
          "--plot draws one stream; give --distinct one value instead of a range");
    }
    boolean json = given.isGiven("--json");
    PrintWriter out = spec.commandLine().getOut();
    List<PlanJson.Rows> rows = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (DescribedStream stream : streams) {
      Planner planner = Planner.of(stream.model()).limits(limits);
      double keys = stream.model().keys();
      String text;
      if (asksMemory) {
        List<MemoryNeed> needs = planner.memoryNeeded();
        rows.add(new PlanJson.Rows(keys, needs));
        text = PlanText.of(needs, stream, limits.describe());
        if (PlanText.least(needs).isEmpty()) {
          problems.add(
              "no memory is enough for any kind to reach %s; allow more errors"
                  .formatted(limits.describe()));
        }
      } else {
        Plan plan = planner.plan(bytes);
        rows.add(PlanJson.Rows.of(keys, plan));
        text = PlanText.of(plan, stream, given.isGiven("--all"));
        plan.rejection().ifPresent(problems::add);
        if (plot.isPresent()) {
          new PlanPlot(plan, stream.words()).write(plot.get());
        }
      }
      if (json) {
        printNotes(stream);
      } else {
        out.print(rows.size() > 1 ? "\n" + text : text);
      }
    }
    if (json) {
      PlanJson.print(rows, out);
    }
    out.flush();
    problems.forEach(problem -> spec.commandLine().getErr().println("unseen: " + problem));
    return problems.isEmpty() ? 0 : CANNOT_BE_DONE;
  }

  private static double share(String option, GivenOptions given, double otherwise) {
    return given.text(option).map(text -> Parse.share(option, text)).orElse(otherwise);
  }

  /** Prints sampling notes to stderr when stdout is JSON. */
  private void printNotes(DescribedStream stream) {
    if (!stream.notes().isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("unseen: " + stream.words());
      stream.notes().forEach(note -> note.lines().forEach(line -> err.println("unseen: " + line)));
      err.flush();
    }
  }
}
