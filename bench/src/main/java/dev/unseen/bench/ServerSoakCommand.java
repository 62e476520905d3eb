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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/server --soak}: checks that the memory of a server under load does not grow. */
@Command(
    name = "server-soak",
    description =
        "Gives a server a mixed load, connections that come and go, and saves, and samples its resident memory."
            + " The exit code is 1 if the memory is not flat after a warm-up.",
    mixinStandardHelpOptions = true)
final class ServerSoakCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "Starts the server.")
  private List<String> command;

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
      defaultValue = "40000",
      description = "Number of items per second. Default: ${DEFAULT-VALUE}.")
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
    List<Soak.Sample> samples;
    String text;
    SoakResult result;
    try (ServerSoak soak = new ServerSoak(command, perSecond)) {
      samples = soak.run(Duration.ofMinutes(minutes));
      result = SoakResult.of(samples);
      text =
          String.format(
              Locale.ROOT,
              "%d minutes, %,d items, %,d connections, %d background saves asked for, %.0f s of processor time: resident memory %s to %s after the warm-up (medians of five minutes), %s apart (at most %s); peak %s",
              minutes,
              soak.items(),
              soak.connections(),
              soak.saves(),
              soak.processorSeconds(),
              Print.bytes(result.least()),
              Print.bytes(result.most()),
              Print.percent(result.spread()),
              Print.percent(SoakResult.FLAT),
              Print.bytes(result.peak()));
    }
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
