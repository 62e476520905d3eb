package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench/server --soak}: checks that the memory of a server under load does not grow.
 *
 * <pre>
 * ten times per second: BF.ADD, BF.MADD, BF.EXISTS; SET NX EX of three expiries, some of them deleted;
 *                       UN.ADMIT with times to a window; UN.RESERVE, of which some are never settled
 * every second:         20 connections come and go, some in the middle of a request; a filter is created and deleted
 * every 3 seconds:      /metrics, /history; a sample
 * every 30 seconds:     BGSAVE
 * </pre>
 */
@Command(
    name = "server-soak",
    description =
        "Gives a server a mixed load, connections that come and go, and saves, and samples its"
            + " resident memory. The exit code is 1 if the memory is not flat after a warm-up.",
    mixinStandardHelpOptions = true)
final class ServerSoakCommand extends MemorySoak {
  private static final int SAVE_SECONDS = 30;
  private static final int CONNECTIONS = 20;
  private static final int MANY = 100;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "Starts the server; must end with no option of 'unseen serve'.")
  private List<String> command;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "40000",
      description = "Number of items per second. Default: ${DEFAULT-VALUE}.")
  private int perSecond;

  private final SplittableRandom random = new SplittableRandom(1);
  private int port;
  private int httpPort;
  private RespClient client;
  private long items;
  private long connections;
  private long saves;
  private long keys;

  @Override
  Process start() throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("--port", "0", "--http", "0", "--save-every", "1m"));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader(UTF_8);
    String line = output.readLine();
    while (line != null && !line.contains("loaded ")) { // until then it rejects requests
      if (line.contains("listening on")) {
        port = Integer.parseInt(line.replaceAll(".*? port (\\d+).*", "$1"));
        httpPort = Integer.parseInt(line.replaceAll(".* port (\\d+).*", "$1"));
      }
      line = output.readLine();
    }
    if (line == null || port == 0) {
      throw new IOException("the server did not start");
    }
    Thread reader = new Thread(() -> output.lines().forEach(System.err::println), "server output");
    reader.setDaemon(true);
    reader.start();
    client = new RespClient(port);
    client.ask("BF.RESERVE", "window", "0.001", "1000000", "WINDOW", "1m");
    client.ask("BF.RESERVE", "plain", "0.001", "5000000");
    return process;
  }

  @Override
  String finish(Process process) throws IOException {
    client.settle();
    if (client.errors() > 0) {
      throw new IOException(
          "the server has rejected %d requests: %s".formatted(client.errors(), client.lastError()));
    }
    client.close();
    return String.format(
        Locale.ROOT,
        "%,d items, %,d connections, %d background saves, %.0f s of CPU time",
        items,
        connections,
        saves,
        process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3);
  }

  private String item() {
    boolean fresh = keys == 0 || random.nextBoolean();
    return "order-" + (fresh ? keys++ : random.nextLong(keys));
  }

  /** A fourth each: BF.ADD, BF.MADD, SET, UN.ADMIT; and some of the others. */
  @Override
  void tick() throws IOException {
    int part = perSecond / TICKS_PER_SECOND / 4;
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

  @Override
  void second(long second) throws IOException, InterruptedException {
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
      get(httpPort, "/metrics");
      get(httpPort, "/history");
    }
    if (second % SAVE_SECONDS == 0 && client.ask("BGSAVE").startsWith("+")) {
      saves++;
    }
  }
}
