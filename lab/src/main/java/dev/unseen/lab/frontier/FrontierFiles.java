package dev.unseen.lab.frontier;

import dev.unseen.draw.SvgWriter;
import dev.unseen.lab.output.Page;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.trial.Tally;
import dev.unseen.text.Print;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the files of a finished sweep: a CSV of all points, a summary in Markdown, a plot per
 * target, and the page.
 */
public final class FrontierFiles {
  private static final String HEADER =
      "stream,records,distinct,repeats,memory_bytes,bits_per_key,family,role,parameters,"
          + "fpr,fnr,fpr_se,fnr_se,false_positives,false_negatives,on_frontier,fnr_sd,default_for";

  private FrontierFiles() {}

  /**
   * Writes the files.
   *
   * @param about facts about the run that the page and the summary show, such as command and date
   */
  public static void write(List<GroundResult> results, Path directory, Map<String, Object> about)
      throws IOException {
    WholeFile.write(directory.resolve("frontier.csv"), csv(results));
    WholeFile.write(directory.resolve("summary.md"), FrontierSummary.markdown(results, about));
    plot(results, 1e-3, directory.resolve("frontier-1e-3.svg"));
    plot(results, 1e-4, directory.resolve("frontier-1e-4.svg"));
    Page.write(
        directory.resolve("index.html"),
        "frontier",
        (String) about.get("title"),
        FrontierJson.of(results, about));
  }

  private static void plot(List<GroundResult> results, double target, Path file)
      throws IOException {
    String title = "FNR of RECENCY and its rivals at an FPR of at most " + Print.percent(target);
    WholeFile.write(file, SvgWriter.write(FrontierPlot.of(results, target), title));
  }

  private static String csv(List<GroundResult> results) {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    for (GroundResult result : results) {
      Ground g = result.ground();
      for (Point p : result.points()) {
        Tally t = p.tally();
        csv.append(
            String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%d,%.3f,%s,%s,%s,%.8f,%.8f,%.8f,%.8f,%d,%d,%s,%s,%s\n",
                quoted(g.stream().name()),
                g.stream().records(),
                g.stream().distinct(),
                g.repeats(),
                g.memoryBytes(),
                g.bitsPerKey(),
                p.setting().family().label(),
                p.setting().family().role().name().toLowerCase(Locale.ROOT),
                p.setting().parameters(),
                t.fpr(),
                t.fnr(),
                t.fprSe(),
                t.fnrSe(),
                t.falsePositives(),
                t.falseNegatives(),
                result.isOnFrontier(p),
                Double.isNaN(p.fnrSd()) ? "" : String.format(Locale.ROOT, "%.8f", p.fnrSd()),
                p.setting().isDefault() ? p.setting().defaultFor() : ""));
      }
    }
    return csv.toString();
  }

  /** Returns a text as a CSV field. The name of a stream can be any file name. */
  private static String quoted(String text) {
    return text.matches("[^,\"\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
