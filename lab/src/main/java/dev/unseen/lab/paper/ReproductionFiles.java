package dev.unseen.lab.paper;

import dev.unseen.lab.output.Page;
import dev.unseen.lab.output.Table;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the files of a finished reproduction: a CSV per table, a summary in Markdown, and the
 * page. Each file is written under another name and then renamed, so that it is never incomplete.
 */
public final class ReproductionFiles {
  private static final String HEADER =
      "table,records,distinct_percent,memory_mb,algorithm,k,"
          + "published_fpr,published_fnr,fpr,fnr,fpr_se,fnr_se";

  private ReproductionFiles() {}

  /**
   * Writes the files.
   *
   * @param about facts about the run that the page and the summary show, such as command and date
   */
  public static void write(Reproduction reproduction, Path directory, Map<String, Object> about)
      throws IOException {
    for (var table : reproduction.byTable().entrySet()) {
      WholeFile.write(directory.resolve(csvName(table.getKey())), csv(table.getValue()));
    }
    convergence(reproduction).write(directory);
    WholeFile.write(
        directory.resolve("summary.md"), ReproductionSummary.markdown(reproduction, about));
    Page.write(
        directory.resolve("index.html"),
        "reproduction",
        (String) about.get("title"),
        ReportJson.of(reproduction, about));
  }

  private static Table convergence(Reproduction reproduction) {
    Table table =
        new Table("convergence", "", "table,memory_mb,algorithm,k,last_load,million_records");
    for (CellResult r : reproduction.results()) {
      double records = Tally.recordsUntilSettled(r.along()) * reproduction.scale();
      table.add(
          r.cell().table(),
          Integer.toString(r.cell().memoryMb()),
          r.label(),
          Integer.toString(r.cell().k()),
          String.format(Locale.ROOT, "%.4f", r.measured().load()),
          String.format(Locale.ROOT, "%.0f", records / 1e6));
    }
    return table;
  }

  static String csvName(String table) {
    return table.replace(':', '-') + ".csv";
  }

  private static String csv(List<CellResult> results) {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (CellResult r : results) {
      PublishedCell c = r.cell();
      csv.append(
          String.format(
              Locale.ROOT,
              "%s,%s,%d,%d,%s,%d,%s,%s,%.6f,%.6f,%.6f,%.6f%n",
              c.table(),
              c.recordsName(),
              c.distinctPercent(),
              c.memoryMb(),
              r.label(),
              c.k(),
              c.fpr(),
              c.fnr(),
              r.fpr().measured(),
              r.fnr().measured(),
              r.fpr().standardError(),
              r.fnr().standardError()));
    }
    return csv.toString();
  }
}
