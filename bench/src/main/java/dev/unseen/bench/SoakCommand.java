package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
  /** A repeated record is one of this number of last keys. */
  private static final long KEYS_BACK = 5_000_000;

  @Option(names = "--unseen", required = true, description = "The command to run.")
  private Path unseen;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Number of records per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  private final SplittableRandom random = new SplittableRandom(1);
  private Path directory;
  private int port;
  private OutputStream in;
  private long keys;
  private long records;
  private long scrapes;

  @Override
  Process start() throws IOException {
    directory = Files.createTempDirectory("soak");
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                unseen.toString(),
                "--quiet",
                "--window",
                "1m",
                "--audit",
                "1/1024",
                "--state",
                directory.resolve("state").toString(),
                "--save-every",
                "1s",
                "--metrics-port",
                Integer.toString(port))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    in = new BufferedOutputStream(process.getOutputStream(), 1 << 16);
    return process;
  }

  @Override
  void tick() throws IOException {
    for (int i = 0; i < perSecond / TICKS_PER_SECOND; i++) {
      boolean fresh = keys == 0 || random.nextBoolean();
      long key = fresh ? keys++ : keys - 1 - random.nextLong(Math.min(keys, KEYS_BACK));
      in.write(("order-" + key + "@example.com\n").getBytes(US_ASCII));
      records++;
    }
    in.flush();
  }

  @Override
  void second(long second) throws IOException, InterruptedException {
    if (second % SAMPLE_SECONDS == 0) {
      get(port, "/metrics");
      scrapes++;
    }
  }

  @Override
  String finish(Process process) throws IOException, InterruptedException {
    in.close();
    process.waitFor();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    return String.format(Locale.ROOT, "%,d records, %,d scrapes", records, scrapes);
  }
}
