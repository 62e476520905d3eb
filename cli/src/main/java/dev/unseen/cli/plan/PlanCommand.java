package dev.unseen.cli.plan;

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
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen plan}: recommends a filter for a stream, before it runs. */
@Command(
    name = "plan",
    description = {
      "Recommends a filter for a stream, and predicts how often it will be wrong.",
      "Reads FILE for at most 30 seconds and learns from it, or takes your description of the"
          + " stream. No filter is run.",
      ""
    },
    customSynopsis = {
      "unseen plan [-m SIZE] FILE [OPTIONS]",
      "       unseen plan [-m SIZE] --records N --distinct D [OPTIONS]",
      "       unseen plan (FILE | --records N ...) --max-fpr E --max-fnr E"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The plan is printed.",
      "1:A file could not be read or written.",
      "2:The command line is wrong, or no filter keeps within the limits."
    },
    footer = {
      "",
      "Examples:",
      "  unseen plan events.jsonl -k id",
      "  unseen plan -m 512M --records 1e9 --distinct 0.6",
      "  unseen plan -m 512M --records 1e9 --distinct 100M..800M",
      "  unseen plan -m 64M --endless --repeats-within 5M --max-fpr 1e-4",
      "  unseen plan -m 400K --records 1.6M --loops-over 400K --max-fpr 1e-3",
      "  unseen plan -m 1M access.log --plot plan.svg",
      "  unseen plan --records 1e9 --distinct 60%% --max-fpr 1e-4 --max-fnr 0.01"
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int CANNOT_BE_DONE = 2;

  /** The memory of a run without --memory. */
  private static final String DEFAULT_MEMORY = "64M";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "Learn the stream from this file; - is standard input.")
  private File file;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      description =
          "Give the filter this much memory: 512K, 64M, 8G. Default: 64M, unless"
              + " --max-fnr asks for the memory that is needed.")
  private String memory;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  @ArgGroup(validate = false, heading = "%nStream:%n")
  private StreamOptions streamOptions = new StreamOptions();

  @ArgGroup(validate = false, heading = "%nLimits:%n")
  private LimitOptions limitOptions = new LimitOptions();

  @ArgGroup(validate = false, heading = "%nOutput:%n")
  private AnswerOptions answer = new AnswerOptions();

  /** Returns the declaration, with the options by which files are read. */
  public static CommandSpec declaration() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new PlanCommand());
    RecordArguments.declare(spec);
    return spec;
  }

  /** How many errors are allowed. */
  static final class LimitOptions {
    @Option(
        names = "--max-fpr",
        paramLabel = "E",
        description = "Drop at most this share of new records by mistake: 1e-4 or 0.1%%.")
    private String maxFpr;

    @Option(
        names = "--max-fnr",
        paramLabel = "E",
        description =
            "Let at most this share of duplicates through: 0.01 or 1%%. Without --memory, find the"
                + " memory for it; --max-fpr is then 1e-4 unless given.")
    private String maxFnr;

    /**
     * Returns the limits.
     *
     * @param otherwise the largest false positive rate if none is given
     */
    private ErrorLimits limits(double otherwise) {
      return new ErrorLimits(
          maxFpr == null ? otherwise : Parse.share("--max-fpr", maxFpr),
          maxFnr == null ? 1 : Parse.share("--max-fnr", maxFnr));
    }
  }

  /** How the plan is printed. */
  static final class AnswerOptions {
    @Option(
        names = "--all",
        description = "Print every setting of each kind, not only the usual and the best one.")
    private boolean all;

    @Option(
        names = "--json",
        description = "Print a JSON array with one object per filter, the best first.")
    private boolean json;

    @Option(
        names = "--plot",
        paramLabel = "FILE",
        description =
            "Draw the rates of each kind's best settings into FILE, as SVG or HTML by its suffix.")
    private Path plot;
  }

  @Override
  public Integer call() throws IOException {
    GivenOptions given = GivenOptions.of(spec.commandLine().getParseResult());
    String from = file == null ? null : file.getPath();
    // A limit for one error alone is met by a filter of next to no memory that is wrong about all
    // others, so memory is searched only between limits for both.
    boolean asksMemory = memory == null && limitOptions.maxFnr != null;
    String size = memory == null ? DEFAULT_MEMORY : memory;
    long bytes = Parse.size("memory", size);
    ErrorLimits limits = limitOptions.limits(asksMemory ? FilterSpec.DEFAULT_MAX_FPR : 1);
    boolean plots = answer.plot != null;
    if (plots) {
      PlanPlot.requireFormat(answer.plot);
    }
    if (plots && asksMemory) {
      throw new IllegalArgumentException("--plot needs --memory: it draws the filters of one size");
    }
    List<DescribedStream> streams = streamOptions.streams(from, given, size);
    if (plots && streams.size() > 1) {
      throw new IllegalArgumentException(
          "--plot draws one stream; give --distinct one value instead of a range");
    }
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
        text = PlanText.of(plan, stream, answer.all);
        plan.rejection().ifPresent(problems::add);
        if (plots) {
          new PlanPlot(plan, stream.words()).write(answer.plot);
        }
      }
      if (answer.json) {
        printNotes(stream);
      } else {
        out.print(rows.size() > 1 ? "\n" + text : text);
      }
    }
    if (answer.json) {
      PlanJson.print(rows, out);
    }
    out.flush();
    problems.forEach(problem -> spec.commandLine().getErr().println("unseen: " + problem));
    return problems.isEmpty() ? 0 : CANNOT_BE_DONE;
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
