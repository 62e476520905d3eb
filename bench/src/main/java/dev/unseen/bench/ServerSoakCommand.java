package dev.unseen.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/server --soak}: checks that the memory of a server under load does not grow. */
@Command(
    name = "server-soak",
    description =
        "Gives a server a mixed load, connections that come and go, and saves, and samples its"
            + " resident memory. The exit code is 1 if the memory is not flat after a warm-up.",
    mixinStandardHelpOptions = true)
final class ServerSoakCommand extends MemorySoak {
  @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "Starts the server.")
  private List<String> command;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "40000",
      description = "Number of items per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  @Override
  Measured run(Duration duration) throws IOException, InterruptedException {
    try (ServerSoak soak = new ServerSoak(command, perSecond)) {
      List<Soak.Sample> samples = soak.run(duration);
      return new Measured(
          samples,
          String.format(
              Locale.ROOT,
              "%,d items, %,d connections, %d background saves asked for, %.0f s of processor time",
              soak.items(),
              soak.connections(),
              soak.saves(),
              soak.processorSeconds()));
    }
  }
}
