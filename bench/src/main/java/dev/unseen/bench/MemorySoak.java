package dev.unseen.bench;

import dev.unseen.draw.SvgWriter;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that keeps a process busy for a while, samples its resident memory, and checks that the
 * memory does not grow after a warm-up.
 */
abstract class MemorySoak implements Callable<Integer> {
  /**
   * What a run has measured.
   *
   * @param samples the memory over time
   * @param work what was done meanwhile, for people
   */
  record Measured(List<Soak.Sample> samples, String work) {}

  @Spec private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Duration of the run. Default: ${DEFAULT-VALUE}. The first five minutes are the warm-up.")
  private int minutes;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the samples as CSV.")
  private Path csv;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write a chart of the samples as SVG.")
  private Path svg;

  /** Keeps the process busy for this time. */
  abstract Measured run(Duration duration) throws IOException, InterruptedException;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Measured measured = run(Duration.ofMinutes(minutes));
    SoakResult result = SoakResult.of(measured.samples);
    String text =
        String.format(
            Locale.ROOT,
            "%d minutes, %s: resident memory %s to %s after the warm-up (medians of five minutes), %s apart (at most %s); peak %s",
            minutes,
            measured.work,
            Print.bytes(result.least()),
            Print.bytes(result.most()),
            Print.percent(result.spread()),
            Print.percent(SoakResult.FLAT),
            Print.bytes(result.peak()));
    out.println(text);
    out.flush();
    if (csv != null) {
      Files.writeString(csv, SoakResult.csv(measured.samples));
    }
    if (svg != null) {
      Files.writeString(
          svg, SvgWriter.write(SoakChart.of(measured.samples, text), "Resident memory"));
    }
    return result.isFlat() ? 0 : 1;
  }
}
