package dev.unseen.lab;

import dev.unseen.lab.paper.CellResult;
import dev.unseen.lab.paper.Deviation;
import dev.unseen.lab.paper.PublishedCell;
import dev.unseen.lab.paper.Reproduction;
import dev.unseen.lab.paper.ReproductionFiles;
import dev.unseen.lab.paper.ReproductionSummary;
import dev.unseen.lab.trial.RunProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class ReproduceCommand implements Callable<Integer> {
  private static final int SHOWN_DEVIATIONS = 10;

  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

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

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the streams and of the filters. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Number of runs at the same time. Default: the number of cores.")
  private int threads = Runtime.getRuntime().availableProcessors();

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
    checkOptions();
    Files.createDirectories(directory);
    Reproduction reproduction = Reproduction.of(chosenTables(), scale, seed, directory);
    long start = System.nanoTime();
    PrintWriter err = spec.commandLine().getErr();
    try (RunProgress progress = Terminal.progress(err)) {
      reproduction.run(threads, progress);
    }
    String title = "The tables of Bera et al. 2012, reproduced";
    Map<String, Object> about = About.of(spec, title, seed, start);
    about.put("scale", scale);
    ReproductionFiles.write(reproduction, directory, about);
    report(reproduction.results());
    return 0;
  }

  private void checkOptions() {
    List<String> known = PublishedCell.tables();
    for (String table : tables) {
      if (!known.contains(table)) {
        throw new IllegalArgumentException(
            "table '%s' is unknown; known: %s".formatted(table, String.join(", ", known)));
      }
    }
    if (scale < 1 || scale > 10_000) {
      throw new IllegalArgumentException("scale (%d) must be 1 to 10000".formatted(scale));
    }
    if (threads < 1 || threads > 256) {
      throw new IllegalArgumentException("threads (%d) must be 1 to 256".formatted(threads));
    }
  }

  private List<String> chosenTables() {
    return tables.isEmpty() ? PublishedCell.tables() : tables;
  }

  private void report(List<CellResult> results) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(ReproductionSummary.headline(results) + ".");
    out.println();
    out.println("The largest deviations, worst first:");
    List<Deviation> deviations = Deviation.worstFirst(results);
    for (Deviation d : deviations.stream().limit(SHOWN_DEVIATIONS).toList()) {
      out.printf(
          Locale.ROOT,
          "  %-22s %-20s %s  published %8.4f  reproduced %8.4f  %+6.2f %%  %+5.1f standard errors%s%n",
          d.cell().table(),
          d.name(),
          d.rate().name(),
          d.rate().published(),
          d.rate().measured(),
          100 * d.rate().deviation(),
          d.rate().inStandardErrors(),
          d.rate().within() ? "" : "  OFF");
    }
    out.println();
    out.printf(
        "Written to %s: a CSV per table, summary.md, and index.html to look at.%n", directory);
    out.flush();
  }
}
