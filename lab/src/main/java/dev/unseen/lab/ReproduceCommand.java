package dev.unseen.lab;

import dev.unseen.lab.paper.CellResult;
import dev.unseen.lab.paper.PublishedCell;
import dev.unseen.lab.paper.Reproduction;
import dev.unseen.lab.paper.ReproductionFiles;
import dev.unseen.lab.paper.ReproductionSummary;
import dev.unseen.lab.trial.RunProgress;
import dev.unseen.text.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unseen lab reproduce}: runs the paper's tables and figures again. */
@Command(
    name = "reproduce",
    description =
        "Runs the paper's tables and figures again, and compares them with the published ones.",
    sortOptions = false,
    footer = { // the library would break these names at their colons
      "",
      "Tables:",
      "  695M:15distinct       695M:60distinct       695M:90distinct",
      "  1B:15distinct         1B:60distinct         1B:90distinct",
      "  BSBF-I:1B:60distinct  BSBFSD:1B:60distinct  RLBSBF:1B:60distinct"
    })
final class ReproduceCommand extends LabSubcommand {
  private static final int SHOWN_DEVIATIONS = 10;

  @Option(
      names = "--table",
      paramLabel = "ID",
      completionCandidates = TableNames.class,
      description =
          "One of the paper's tables, which are listed below. Default: all. Can be repeated.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Run 1/N of the records with 1/N of the memory; 1 is the full billion. Default: ${DEFAULT-VALUE}.")
  private int scale;

  @Mixin private RunOptions run;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      defaultValue = "out/reproduction",
      description =
          "Directory for the CSV files, the summary and the page. An interrupted run continues from"
              + " there. Default: ${DEFAULT-VALUE}.")
  private Path directory;

  /** The names of the tables, for the help and the completions. */
  private static final class TableNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return PublishedCell.tables().iterator();
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> known = PublishedCell.tables();
    requireKnown("table", tables, known);
    Require.that(scale >= 1 && scale <= 10_000, "scale", scale, "1 to 10000");
    int threads = run.threads();
    Files.createDirectories(directory);
    Reproduction reproduction =
        Reproduction.of(tables.isEmpty() ? known : tables, scale, run.seed(), directory);
    long start = System.nanoTime();
    try (RunProgress progress = new RunProgress(spec.commandLine().getErr())) {
      reproduction.run(threads, progress);
    }
    String title = "The tables of Bera et al. 2012, reproduced";
    Map<String, Object> about = About.of(spec, title, run.seed(), start);
    about.put("scale", scale);
    ReproductionFiles.write(reproduction, directory, about);
    report(reproduction.results());
    return 0;
  }

  private void report(List<CellResult> results) {
    PrintWriter out = out();
    out.println(ReproductionSummary.headline(results) + ".");
    out.println();
    out.println("The largest deviations, worst first:");
    for (CellResult.Rate r :
        CellResult.worstFirst(results).stream().limit(SHOWN_DEVIATIONS).toList()) {
      out.printf(
          Locale.ROOT,
          "  %-22s %-20s %s  published %8.4f  reproduced %8.4f  %+6.2f %%  %+5.1f standard errors%s%n",
          r.cell().table(),
          r.cell().name(),
          r.name(),
          r.published(),
          r.measured(),
          100 * r.deviation(),
          r.inStandardErrors(),
          r.within() ? "" : "  OFF");
    }
    out.println();
    out.printf(
        "Written to %s: a CSV per table, summary.md, and index.html to look at.%n", directory);
  }
}
