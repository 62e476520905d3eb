package dev.unseen.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench/soak}: checks that the memory of a run that saves, measures and reports does not
 * grow.
 */
@Command(
    name = "soak",
    description =
        "Runs the command line with a window, an audit, a save every second and scrapes of its"
            + " metrics, and samples its resident memory. The exit code is 1 if the memory is not"
            + " flat after a warm-up.",
    mixinStandardHelpOptions = true)
final class SoakCommand extends MemorySoak {
  @Option(names = "--unseen", required = true, description = "The command to run.")
  private Path unseen;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Number of records per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  @Override
  Measured run(Duration duration) throws IOException, InterruptedException {
    Soak soak = new Soak(unseen, perSecond);
    List<Soak.Sample> samples = soak.run(duration);
    return new Measured(
        samples,
        String.format(Locale.ROOT, "%,d records, %,d scrapes", soak.records(), soak.scrapes()));
  }
}
