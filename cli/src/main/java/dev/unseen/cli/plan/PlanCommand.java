package dev.unseen.cli.plan;

import dev.unseen.Memory;
import dev.unseen.plan.ErrorLimits;
import dev.unseen.plan.MemoryNeed;
import dev.unseen.plan.Plan;
import dev.unseen.plan.Planner;
import dev.unseen.text.Parse;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code unseen plan}: which filter to take for a stream, before it runs. */
@Command(
    name = "plan",
    description = {"Tells which filter suits a stream, and how often it will be wrong."},
    customSynopsis = {
      "unseen plan --memory SIZE STREAM [--max-fpr E] [--max-fnr E] [OPTIONS]",
      "       unseen plan STREAM --max-fpr E --max-fnr E     the memory that each kind needs"
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
      "  unseen plan -m 512M --records 1e9 --distinct 0.6",
      "  unseen plan -m 64M --endless --repeats-within 5M --max-fpr 1e-4",
      "  unseen plan -m 400K --records 1.6M --loops-over 400K --max-fpr 1e-3",
      "  unseen plan -m 16K --sample events.jsonl --key id --plot plan.svg",
      "  unseen plan --records 1e9 --distinct 60%% --max-fpr 1e-4 --max-fnr 0.01"
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int CANNOT_BE_DONE = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      description = "Memory of the filter, such as 512M.")
  private String memory;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  @ArgGroup(validate = false, heading = "%nThe stream:%n")
  private StreamOptions streamOptions = new StreamOptions();

  @ArgGroup(validate = false, heading = "%nThe limits:%n")
  private LimitOptions limitOptions = new LimitOptions();

  @ArgGroup(validate = false, heading = "%nThe answer:%n")
  private AnswerOptions answer = new AnswerOptions();

  /** What is tolerated. */
  static final class LimitOptions {
    @Option(
        names = "--max-fpr",
        paramLabel = "E",
        description = "Lose at most this share of the new records: 1e-4, 0.1%%.")
    private String maxFpr;

    @Option(
        names = "--max-fnr",
        paramLabel = "E",
        description = "Let at most this share of the duplicates through.")
    private String maxFnr;

    private boolean isEmpty() {
      return maxFpr == null && maxFnr == null;
    }

    private ErrorLimits limits() {
      return new ErrorLimits(
          maxFpr == null ? 1 : Parse.share("--max-fpr", maxFpr),
          maxFnr == null ? 1 : Parse.share("--max-fnr", maxFnr));
    }
  }

  /** How it is told. */
  static final class AnswerOptions {
    @Option(names = "--all", description = "Every k, not only the usual and the best of each kind.")
    private boolean all;

    @Option(names = "--json", description = "An array of objects, one a filter, the best first.")
    private boolean json;

    @Option(
        names = "--plot",
        paramLabel = "FILE",
        description = "Draw FNR against FPR into FILE.svg, FILE.png or FILE.html.")
    private Path plot;
  }

  private static int fail(PrintWriter err, String message, int code) {
    err.println("unseen: " + message);
    return code;
  }

  @Override
  public Integer call() throws IOException {
    if (streamOptions.isEmpty()) {
      throw new IllegalArgumentException(
          "what stream is to come is missing; for a start: unseen plan --memory 512M --records 1e9"
              + " --distinct 0.6");
    }
    if (memory == null && limitOptions.isEmpty()) {
      throw new IllegalArgumentException(
          "either --memory SIZE, to learn the errors, or --max-fpr and --max-fnr, to learn the"
              + " memory, is missing");
    }
    Optional<PlotFormat> format = Optional.ofNullable(answer.plot).map(PlotFormat::of);
    if (memory == null && format.isPresent()) {
      throw new IllegalArgumentException("--plot needs --memory: it draws the filters of one size");
    }
    long bytes = memory == null ? 0 : Memory.parse(memory);
    ErrorLimits limits = limitOptions.limits();
    DescribedStream stream = streamOptions.stream();
    Planner planner = Planner.of(stream.model()).limits(limits);
    if (memory == null) {
      return tellNeeds(planner.memoryNeeded(), stream, limits);
    }
    Plan plan = planner.plan(bytes);
    if (format.isPresent()) {
      format.get().write(new PlanPlot(plan, stream.words()), answer.plot);
    }
    return tell(plan, stream);
  }

  private int tell(Plan plan, DescribedStream stream) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (answer.json) {
      PlanJson.print(plan.options(), out);
    } else {
      out.print(PlanText.of(plan, stream.words(), answer.all));
    }
    out.flush();
    if (plan.refusal().isPresent()) {
      return fail(spec.commandLine().getErr(), plan.refusal().get(), CANNOT_BE_DONE);
    }
    return 0;
  }

  private int tellNeeds(List<MemoryNeed> needs, DescribedStream stream, ErrorLimits limits)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (answer.json) {
      PlanJson.printNeeds(needs, out);
    } else {
      out.print(PlanText.of(needs, stream.words(), limits.describe()));
    }
    out.flush();
    if (PlanText.least(needs).isEmpty()) {
      return fail(
          spec.commandLine().getErr(),
          "no memory is enough for any kind to reach %s; allow more errors"
              .formatted(limits.describe()),
          CANNOT_BE_DONE);
    }
    return 0;
  }
}
