package dev.unseen.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/server --latency} and {@code --save}: measures replies at a fixed rate. */
@Command(
    name = "server-latency",
    description =
        "Sends requests at a fixed rate, whether or not replies have come, and measures from when each was due.",
    mixinStandardHelpOptions = true)
final class ServerLatencyCommand implements Callable<Integer> {
  static final String HEADER =
      "what,requests_per_s,connections,requests,p50_us,p90_us,p99_us,p999_us,max_us,sender_late_us\n";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "WORD",
      arity = "1..*",
      description = "The request; KEY stands for one of a hundred million keys.")
  private String[] words;

  @Option(names = "--port", required = true, description = "The port of the server.")
  private int port;

  @Option(names = "--name", required = true, description = "What the line of the CSV is called.")
  private String name;

  @Option(names = "--per-second", required = true, description = "Number of requests per second.")
  private double perSecond;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description =
          "Duration of the run, after a fifth of it to warm up. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--connections",
      defaultValue = "50",
      description = "Number of connections. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--save",
      description = "Measure as long as a background save takes, instead of the seconds.")
  private boolean save;

  @Option(names = "--csv", paramLabel = "FILE", description = "Add a line to this CSV file.")
  private Path csv;

  @Override
  public Integer call() throws IOException {
    Histogram times;
    long late;
    try (OpenLoop loop = new OpenLoop(port, connections, perSecond, words)) {
      loop.run(until(Math.max(1, seconds / 5)));
      times = loop.run(save ? saving() : until(seconds));
      late = loop.late();
    }
    String line =
        String.format(
            Locale.ROOT,
            "%s,%.0f,%d,%d,%s,%s,%s,%s,%s,%s%n",
            name,
            perSecond,
            connections,
            times.getTotalCount(),
            micros(times.getValueAtPercentile(50)),
            micros(times.getValueAtPercentile(90)),
            micros(times.getValueAtPercentile(99)),
            micros(times.getValueAtPercentile(99.9)),
            micros(times.getMaxValue()),
            micros(late));
    PrintWriter out = spec.commandLine().getOut();
    out.print(line);
    out.flush();
    if (csv != null) {
      if (!Files.exists(csv)) {
        Files.writeString(csv, HEADER);
      }
      Files.writeString(csv, line, StandardOpenOption.APPEND);
    }
    return 0;
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.0f", nanos / 1e3);
  }

  private static BooleanSupplier until(int seconds) {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    return () -> System.nanoTime() < end;
  }

  /**
   * Begins a save, and continues until it is done; another connection asks, ten times per second.
   */
  private BooleanSupplier saving() throws IOException {
    RespClient other = new RespClient(port);
    if (!other.ask("BGSAVE").startsWith("+")) {
      throw new IOException("the server does not save: " + other.lastError());
    }
    Thread watcher =
        new Thread(
            () -> {
              try (other) {
                while (other.ask("INFO", "persistence").contains("rdb_bgsave_in_progress:1")) {
                  Thread.sleep(100);
                }
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("the end of the save is not known", e);
              }
            });
    watcher.setDaemon(true);
    watcher.start();
    return watcher::isAlive;
  }
}
