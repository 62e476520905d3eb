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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/soak}: checks that the memory of a run that saves, measures and reports does not
 * grow.
 */
@Command(
    name = "soak",
    description =
        "Runs the command line with a window, an audit, a save every second and scrapes of its metrics,"
            + " and samples its resident memory. The exit code is 1 if the memory is not flat after a warm-up.",
    mixinStandardHelpOptions = true)
final class SoakCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--unseen", required = true, description = "The command to run.")
  private Path unseen;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Duration of the run. Default: ${DEFAULT-VALUE}. The first five minutes are the warm-up.")
  private int minutes;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Number of records per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the samples as CSV.")
  private Path csv;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write a chart of the samples as SVG.")
  private Path svg;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Soak soak = new Soak(unseen, perSecond);
    List<Soak.Sample> samples = soak.run(Duration.ofMinutes(minutes));
    SoakResult result = SoakResult.of(samples);
    String text =
        String.format(
            Locale.ROOT,
            "%d minutes, %,d records, %,d scrapes: resident memory %s to %s after the warm-up (medians of five minutes), %s apart (at most %s); peak %s",
            minutes,
            soak.records(),
            soak.scrapes(),
            Print.bytes(result.least()),
            Print.bytes(result.most()),
            Print.percent(result.spread()),
            Print.percent(SoakResult.FLAT),
            Print.bytes(result.peak()));
    out.println(text);
    out.flush();
    if (csv != null) {
      Files.writeString(csv, SoakResult.csv(samples));
    }
    if (svg != null) {
      Files.writeString(svg, SvgWriter.write(SoakChart.of(samples, text), "Resident memory"));
    }
    return result.isFlat() ? 0 : 1;
  }
}
