package dev.unseen.lab.paper;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Describes a reproduction in Markdown, with text and tables. */
public final class ReproductionSummary {
  private static final int WORST = 20;

  private ReproductionSummary() {}

  /** Returns one sentence that says how many rates were reproduced as published. */
  public static String headline(List<CellResult> results) {
    long within = results.stream().filter(r -> r.isAsPublished() && r.within()).count();
    double[] worse = deviations(results);
    return String.format(
        Locale.ROOT,
        "%d of %d cells within 2 %% of the published rates or three standard errors;"
            + " median deviation %.2f %%, 95th percentile %.2f %%, worst %.2f %%"
            + " (relative, the worse of FPR and FNR)",
        within,
        worse.length,
        medianDeviation(results),
        100 * worse[(int) (worse.length * 0.95)],
        100 * worse[worse.length - 1]);
  }

  /**
   * Returns the median over all cells of the worse deviation of their two rates, in percent. The
   * page shows this number too.
   */
  static double medianDeviation(List<CellResult> results) {
    double[] worse = deviations(results);
    int half = worse.length / 2;
    return 100 * (worse.length % 2 == 1 ? worse[half] : (worse[half - 1] + worse[half]) / 2);
  }

  /** Returns the worse deviation of each cell that was reproduced as published, sorted. */
  private static double[] deviations(List<CellResult> results) {
    return results.stream()
        .filter(CellResult::isAsPublished)
        .mapToDouble(CellResult::worseDeviation)
        .sorted()
        .toArray();
  }

  static String markdown(Reproduction reproduction, Map<String, Object> about) {
    StringBuilder md = new StringBuilder("# The tables of Bera et al. 2012, reproduced\n\n");
    md.append("`").append(about.get("command")).append("`  \n");
    md.append(
        "scale 1/%d, seed %d, %s, Java %s%n%n"
            .formatted(
                reproduction.scale(), reproduction.seed(), about.get("date"), about.get("jdk")));
    md.append(headline(reproduction.results())).append(".\n\n");
    md.append("Rates in percent, as the paper prints them: FPR of the distinct records, FNR of the")
        .append(" duplicates. The page beside this file, `index.html`, shows all of it.\n");
    for (var table : reproduction.byTable().entrySet()) {
      md.append("\n## ").append(table.getKey()).append("\n\n");
      row(md, "memory", "algorithm", "k", "published FPR", "FPR", "published FNR", "FNR", "");
      row(md, "---:", "---", "---:", "---:", "---:", "---:", "---:", "---");
      for (CellResult r : table.getValue()) {
        row(
            md,
            r.cell().memoryMb() + " MB",
            r.label(),
            String.valueOf(r.cell().k()),
            rate(r.cell().fpr()),
            rate(r.fpr().measured()),
            rate(r.cell().fnr()),
            rate(r.fnr().measured()),
            !r.isAsPublished() || r.within() ? "" : "off");
      }
    }
    md.append("\n## Largest deviations\n\n");
    row(md, "table", "cell", "rate", "published", "reproduced", "deviation", "standard errors");
    row(md, "---", "---", "---", "---:", "---:", "---:", "---:");
    for (CellResult.Rate r :
        CellResult.worstFirst(reproduction.results()).stream().limit(WORST).toList()) {
      row(
          md,
          r.cell().table(),
          r.cell().name(),
          r.name(),
          rate(r.published()),
          rate(r.measured()),
          String.format(Locale.ROOT, "%+.2f %%", 100 * r.deviation()),
          String.format(Locale.ROOT, "%+.1f", r.inStandardErrors()));
    }
    return md.toString();
  }

  private static void row(StringBuilder md, String... values) {
    md.append("| ").append(String.join(" | ", Arrays.asList(values))).append(" |\n");
  }

  private static String rate(double percent) {
    return String.format(Locale.ROOT, "%.4f", percent);
  }
}
