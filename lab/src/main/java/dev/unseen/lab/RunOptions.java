package dev.unseen.lab;

import dev.unseen.text.Require;
import picocli.CommandLine.Option;

/** The options of commands that run many filters. */
final class RunOptions {
  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the streams, hashes and filters. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Number of runs at the same time. Default: the number of cores.")
  private int threads = Runtime.getRuntime().availableProcessors();

  long seed() {
    return seed;
  }

  int threads() {
    Require.that(threads >= 1 && threads <= 256, "threads", threads, "1 to 256");
    return threads;
  }
}
