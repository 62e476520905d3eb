package dev.unseen.cli.plan;

import dev.unseen.draw.SvgWriter;
import dev.unseen.plan.Plan;
import dev.unseen.plan.PlanOption;
import java.util.stream.Collectors;

/** A page with the plot and all its figures. */
final class PlanPage {
  private static final String STYLE =
      """
      body { font: 15px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; color: #222;
        max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      svg { width: 100%; height: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.15rem 0.9rem; text-align: right; }
      th:first-child, td:first-child { text-align: left; }
      thead { border-bottom: 1px solid #999; }
      tr.best { font-weight: 600; }
      code { background: #f2f2f2; padding: 0.15rem 0.4rem; }
      """;

  private PlanPage() {}

  /** Returns the page with this title and drawing. */
  static String of(Plan plan, String title, String svg) {
    PlanOption best = plan.recommendation().option();
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        %s<p><strong>%s</strong>: %s.</p>
        <p><code>%s</code></p>
        <table>
        <thead><tr><th>filter</th><th>k</th><th>FPR</th><th>FNR</th><th>lost/M</th><th>passed/M</th></tr></thead>
        <tbody>
        %s</tbody>
        </table>
        </body>
        </html>
        """
        .formatted(
            SvgWriter.escape(title),
            STYLE,
            svg,
            SvgWriter.escape(best.spec().describe()),
            SvgWriter.escape(plan.recommendation().reason()),
            SvgWriter.escape(new Recipe(best.spec()).shell()),
            plan.options().stream()
                .map(option -> row(option, option.equals(best)))
                .collect(Collectors.joining()));
  }

  private static String row(PlanOption option, boolean best) {
    return PlanText.cells(option).stream()
        .map("<td>%s</td>"::formatted)
        .collect(Collectors.joining("", best ? "<tr class=\"best\">" : "<tr>", "</tr>\n"));
  }
}
