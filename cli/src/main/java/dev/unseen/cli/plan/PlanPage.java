package dev.unseen.cli.plan;

import dev.unseen.draw.SvgWriter;
import dev.unseen.plan.PlanOption;
import dev.unseen.text.Print;
import java.util.Locale;

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

  static String of(PlanPlot plot) {
    PlanOption best = plot.plan().recommendation().option();
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    page.append("<meta charset=\"utf-8\">\n<title>")
        .append(SvgWriter.escape(plot.title()))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n")
        .append(SvgWriter.write(plot.draw(), plot.title()))
        .append("<p><strong>")
        .append(SvgWriter.escape(best.spec().describe()))
        .append("</strong>: ")
        .append(SvgWriter.escape(plot.plan().recommendation().reason()))
        .append(".</p>\n<p><code>")
        .append(SvgWriter.escape(new Recipe(best.spec()).shell()))
        .append("</code></p>\n<table>\n<thead><tr><th>filter</th><th>k</th><th>FPR</th>")
        .append("<th>FNR</th><th>lost/M</th><th>passed/M</th></tr></thead>\n<tbody>\n");
    for (PlanOption option : plot.plan().options()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<tr%s><td>%s</td><td>%d</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>%n",
              option.equals(best) ? " class=\"best\"" : "",
              option.spec().kind().id(),
              option.spec().hashes(),
              Print.rate(option.prediction().fpr()),
              Print.rate(option.prediction().fnr()),
              PlanText.perMillion(option.lostPerMillion()),
              PlanText.perMillion(option.passedPerMillion())));
    }
    return page.append("</tbody>\n</table>\n</body>\n</html>\n").toString();
  }
}
