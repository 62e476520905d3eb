package dev.unseen.lab.frontier;

import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

final class FrontierSummary {
  private FrontierSummary() {}

  static String markdown(List<GroundResult> results, Map<String, Object> about) {
    StringBuilder md = new StringBuilder("# ").append(about.get("title")).append("\n\n");
    md.append("`").append(about.get("command")).append("`  \n");
    md.append(
        "seed %s, %s, Java %s%n%n"
            .formatted(about.get("seed"), about.get("date"), about.get("jdk")));
    md.append(
        """
        The lowest FNR of each family among its settings whose FPR was at most the target, in percent; then the
        setting, its own FPR, and the FNR relative to the best of the paper's five at that target. `-`: no setting
        reaches the target. A family with "default" after its name was given the target as its rate and nothing else,
        as users do who do not try all settings on their stream. ± is the standard deviation between runs. FPR is of the distinct records, FNR of the duplicates. All points are in `frontier.csv`,
        as rates from 0 to 1; `index.html` draws them.
        """);
    for (GroundResult result : results) {
      ground(md, result);
    }
    return md.toString();
  }

  private static void ground(StringBuilder md, GroundResult result) {
    Ground g = result.ground();
    md.append(
        String.format(
            Locale.ROOT,
            "%n## %s, %.3g bits per distinct key%n%n%,d records, %,d distinct, %,d bytes of memory; %s%n%n",
            g.stream().name(),
            g.bitsPerKey(),
            g.stream().records(),
            g.stream().distinct(),
            g.memoryBytes(),
            g.repeats() == 1
                ? "one run each"
                : "%d runs each, with other hashes".formatted(g.repeats())));
    List<String> head = new ArrayList<>(List.of("family"));
    for (double target : GroundResult.TARGETS) {
      head.add("FNR at FPR <= " + Print.percent(target));
    }
    row(md, head);
    row(md, head.stream().map(any -> "---").toList());
    for (Contender contender : result.ranking(GroundResult.MAIN_TARGET)) {
      List<String> cells = new ArrayList<>(List.of(contender.label()));
      for (double target : GroundResult.TARGETS) {
        cells.add(cell(result, contender.at(target), target));
      }
      row(md, cells);
    }
  }

  private static String cell(GroundResult result, Optional<Point> best, double target) {
    if (best.isEmpty()) {
      return "-";
    }
    Point p = best.get();
    double ratio = result.ratio(p, target);
    return "**%s**%s (%s; %s)%s"
        .formatted(
            Print.percent(p.tally().fnr()),
            Double.isNaN(p.fnrSd()) ? "" : " ± " + Print.percent(rounded(p.fnrSd())),
            p.setting().parameters(),
            Print.percent(p.tally().fpr()),
            Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, " ×%.2f", ratio));
  }

  private static void row(StringBuilder md, List<String> cells) {
    md.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Returns a deviation, which is 0 if it comes from the rounding of equal rates. */
  private static double rounded(double deviation) {
    return deviation < 1e-12 ? 0 : deviation;
  }
}
