package dev.unseen.bench;

import dev.unseen.draw.SvgWriter;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that keeps a process busy for a while, samples its resident memory every three seconds,
 * and checks that the memory does not grow after a warm-up.
 */
abstract class MemorySoak implements Callable<Integer> {
  static final int TICKS_PER_SECOND = 10;
  static final int SAMPLE_SECONDS = 3;

  /**
   * The resident memory at one moment.
   *
   * @param seconds the seconds since the start
   * @param bytes the memory in bytes, as the system counts it
   */
  record Sample(long seconds, long bytes) {}

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

  private final HttpClient http = HttpClient.newHttpClient();

  abstract Process start() throws IOException;

  /** Gives the process its work of a tenth of a second. */
  abstract void tick() throws IOException;

  /** Does what is due after each second. */
  abstract void second(long second) throws IOException, InterruptedException;

  /** Ends the run. Returns what was done, as text. */
  abstract String finish(Process process) throws IOException, InterruptedException;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<Sample> samples;
    String work;
    Process process = start();
    try {
      samples = run(process);
      work = finish(process);
    } finally {
      process.destroy();
      process.waitFor();
    }
    SoakResult result = SoakResult.of(samples);
    String text =
        String.format(
            Locale.ROOT,
            "%d minutes, %s: resident memory %s to %s after the warm-up (medians of five minutes), %s apart (at most %s); peak %s",
            minutes,
            work,
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

  private List<Sample> run(Process process) throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    long nanos = TimeUnit.MINUTES.toNanos(minutes);
    long began = System.nanoTime();
    for (long tick = 1; System.nanoTime() - began < nanos; tick++) {
      tick();
      if (tick % TICKS_PER_SECOND == 0) {
        long second = tick / TICKS_PER_SECOND;
        second(second);
        if (second % SAMPLE_SECONDS == 0) {
          long elapsed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
          samples.add(new Sample(elapsed, Machine.residentBytes(process)));
        }
      }
      long due = began + TimeUnit.SECONDS.toNanos(tick) / TICKS_PER_SECOND;
      Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
    }
    return samples;
  }

  /** Asks the process by HTTP, and fails if it does not answer with 200. */
  final void get(int port, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    int status = http.send(request, BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException(path + " is answered with " + status);
    }
  }
}
