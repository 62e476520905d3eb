package dev.unseen.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One long run of the command line, which gets records while its metrics and its memory are
 * sampled.
 */
final class Soak {
  private static final Duration EVERY = Duration.ofSeconds(3);
  private static final int TICKS_PER_SECOND = 10;
  private static final long KEYS_BACK =
      5_000_000; // a repeated record is one of this number of last keys

  /**
   * The resident memory at one moment.
   *
   * @param seconds the seconds since the start
   * @param bytes the memory in bytes, as the system counts it
   */
  record Sample(long seconds, long bytes) {}

  private final Path unseen;
  private final int perSecond;
  private long keys;
  private long records;
  private long scrapes;

  Soak(Path unseen, int perSecond) {
    this.unseen = unseen;
    this.perSecond = perSecond;
  }

  long records() {
    return records;
  }

  long scrapes() {
    return scrapes;
  }

  List<Sample> run(Duration length) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("soak");
    int port = freePort();
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
    try (OutputStream in = new BufferedOutputStream(process.getOutputStream(), 1 << 16)) {
      return feed(in, process, port, length);
    } finally {
      process.waitFor();
      delete(directory);
    }
  }

  private List<Sample> feed(OutputStream in, Process process, int port, Duration length)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(1);
    List<Sample> samples = new ArrayList<>();
    long began = System.nanoTime();
    long tick = 0;
    long sampled = 0;
    while (System.nanoTime() - began < length.toNanos()) {
      for (int i = 0; i < perSecond / TICKS_PER_SECOND; i++) {
        boolean fresh = keys == 0 || random.nextBoolean();
        long key = fresh ? keys++ : keys - 1 - random.nextLong(Math.min(keys, KEYS_BACK));
        in.write(("order-" + key + "@example.com\n").getBytes(StandardCharsets.US_ASCII));
        records++;
      }
      in.flush();
      tick++;
      long now = System.nanoTime() - began;
      if (now - sampled >= EVERY.toNanos()) {
        sampled = now;
        scrape(port);
        samples.add(new Sample(now / 1_000_000_000, residentBytes(process)));
      }
      Thread.sleep(Math.max(0, (tick * 1_000_000_000 / TICKS_PER_SECOND - now) / 1_000_000));
    }
    return samples;
  }

  private void scrape(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    int status = HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
    scrapes += status == 200 ? 1 : 0;
  }

  static long residentBytes(Process process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException(status + " has no VmRSS line; this command needs Linux");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
