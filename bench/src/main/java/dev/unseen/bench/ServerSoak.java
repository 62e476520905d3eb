package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One long run of the server, which gets all that could take memory while its resident memory is
 * sampled.
 *
 * <pre>
 * ten times a second:   BF.ADD, BF.MADD, BF.EXISTS; SET NX EX of three expiries, some of them deleted;
 *                       UN.ADMIT with times to a window; UN.RESERVE, of which some are never settled
 * once a second:        20 connections come and go, some in the middle of a request; a filter is created and deleted
 * every 3 seconds:      /metrics, /history; a sample
 * every 30 seconds:     BGSAVE
 * </pre>
 */
final class ServerSoak implements AutoCloseable {
  private static final int TICKS_PER_SECOND = 10;
  private static final int SAMPLE_SECONDS = 3;
  private static final int SAVE_SECONDS = 30;
  private static final int CONNECTIONS = 20;
  private static final int MANY = 100;

  private final Process process;
  private final int perTick;
  private final int port;
  private final int httpPort;
  private final HttpClient http = HttpClient.newHttpClient();
  private final SplittableRandom random = new SplittableRandom(1);
  private final RespClient client;
  private long items;
  private long connections;
  private long saves;
  private long keys;

  /** Starts a server by this command, which must end with no option of {@code unseen serve}. */
  ServerSoak(List<String> command, int perSecond) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("--port", "0", "--http", "0", "--save-every", "1m"));
    process = new ProcessBuilder(all).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader(UTF_8);
    String line = output.readLine();
    while (line != null && !line.contains("listening on")) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the server did not start");
    }
    port = Integer.parseInt(line.replaceAll(".*? port (\\d+).*", "$1"));
    httpPort = Integer.parseInt(line.replaceAll(".* port (\\d+).*", "$1"));
    Thread reader = new Thread(() -> output.lines().forEach(System.err::println), "server's words");
    reader.setDaemon(true);
    reader.start();
    perTick = perSecond / TICKS_PER_SECOND;
    client = new RespClient(port);
    client.ask("BF.RESERVE", "window", "0.001", "1000000", "WINDOW", "1m");
    client.ask("BF.RESERVE", "plain", "0.001", "5000000");
  }

  long items() {
    return items;
  }

  long connections() {
    return connections;
  }

  long saves() {
    return saves;
  }

  /** Returns the CPU time that the server has used, in seconds. */
  double processorSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  List<Soak.Sample> run(Duration length) throws IOException, InterruptedException {
    List<Soak.Sample> samples = new ArrayList<>();
    long began = System.nanoTime();
    for (long tick = 1; System.nanoTime() - began < length.toNanos(); tick++) {
      tick();
      if (tick % TICKS_PER_SECOND == 0) {
        second(tick / TICKS_PER_SECOND);
        if (tick / TICKS_PER_SECOND % SAMPLE_SECONDS == 0) {
          long seconds = (System.nanoTime() - began) / 1_000_000_000;
          samples.add(new Soak.Sample(seconds, Soak.residentBytes(process)));
        }
      }
      long due = began + tick * 1_000_000_000 / TICKS_PER_SECOND;
      Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
    }
    client.settle();
    if (client.errors() > 0) {
      throw new IOException(
          "the server has rejected %d requests: %s".formatted(client.errors(), client.lastError()));
    }
    return samples;
  }

  private String item() {
    boolean fresh = keys == 0 || random.nextBoolean();
    return "order-" + (fresh ? keys++ : random.nextLong(keys));
  }

  /** A fourth each: BF.ADD, BF.MADD, SET, UN.ADMIT; and some of the others. */
  private void tick() throws IOException {
    int part = perTick / 4;
    for (int i = 0; i < part; i++) {
      client.send("BF.ADD", "plain", item());
      if (i % MANY == 0) {
        client.send("BF.EXISTS", "plain", item());
      }
    }
    client.settle();
    String[] many = new String[2 + MANY];
    many[0] = "BF.MADD";
    many[1] = "usual";
    for (int i = 0; i < part / MANY; i++) {
      Arrays.setAll(many, at -> at < 2 ? many[at] : item());
      client.send(many);
    }
    client.settle();
    for (int i = 0; i < part; i++) {
      String[] expiries = {"2", "60", "3600"};
      client.send("SET", item(), "1", "NX", "EX", expiries[i * 3 / part]);
      if (i % MANY == 0) {
        client.send("DEL", item());
      }
    }
    client.settle();
    for (int i = 0; i < part; i++) {
      long late = random.nextInt(5000);
      client.send("UN.ADMIT", "window", item(), "TIME", "" + (System.currentTimeMillis() - late));
    }
    client.send("UN.RESERVE", "plain", item());
    client.settle();
    items += 4L * part;
  }

  private void second(long second) throws IOException, InterruptedException {
    for (int i = 0; i < CONNECTIONS; i++) {
      try (RespClient other = new RespClient(port)) {
        other.send("HELLO", i % 2 == 0 ? "2" : "3");
        other.send("PING");
        if (i % 4 == 3) {
          other.sendPart("*3\r\n$6\r\nBF.ADD\r\n$5\r\npl".getBytes(UTF_8));
        } else if (i % 2 == 0) {
          other.settle();
        }
        connections++;
      }
    }
    client.ask("BF.RESERVE", "short", "0.001", "100000");
    client.ask("BF.ADD", "short", "a");
    client.ask("DEL", "short");
    if (second % SAMPLE_SECONDS == 0) {
      get("/metrics");
      get("/history");
    }
    if (second % SAVE_SECONDS == 0 && client.ask("BGSAVE").startsWith("+")) {
      saves++;
    }
  }

  private void get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path)).build();
    int status = http.send(request, BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException(path + " is answered with " + status);
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
    process.destroy();
    process.onExit().join();
  }
}
