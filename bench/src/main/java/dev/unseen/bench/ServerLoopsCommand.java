package dev.unseen.bench;

import dev.unseen.server.UnseenServer;
import dev.unseen.server.command.Client;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Dispatcher;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.ProtocolException;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespReader;
import dev.unseen.server.resp.RespWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/server --loops}: what two event loops do in the time of one, without sockets.
 *
 * <p>With a client on the same two cores, two event loops have no core each. So the loops do here
 * all that they do between two calls of the system: they read bytes, decide, append to the journal
 * and write replies; only the network is left out.
 */
@Command(
    name = "server-loops",
    description = "Measures one and two event loops of the server, without sockets.",
    mixinStandardHelpOptions = true)
final class ServerLoopsCommand implements Callable<Integer> {
  private static final int PIPELINE = 64;
  private static final int PIPELINES = 4096; // made before, sent again and again

  @Spec private CommandSpec spec;

  @Option(names = "--seconds", defaultValue = "3", description = "Duration of each measurement.")
  private int seconds;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Number of rounds; their medians are printed.")
  private int rounds;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the numbers as CSV.")
  private Path csv;

  private record Load(String name, boolean journal, List<String> words) {}

  private static final List<Load> LOADS =
      List.of(
          new Load("BF.ADD to one filter", false, List.of("BF.ADD", "k", "KEY")),
          new Load("BF.ADD to one filter with a journal", true, List.of("BF.ADD", "k", "KEY")),
          new Load("BF.ADD to a filter each", false, List.of("BF.ADD", "OWN", "KEY")),
          new Load("BF.EXISTS of one filter", false, List.of("BF.EXISTS", "k", "KEY")),
          new Load("SET NX EX", false, List.of("SET", "KEY", "1", "NX", "EX", "3600")));

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    StringBuilder lines = new StringBuilder("load,loops,requests_per_s\n");
    for (Load load : LOADS) {
      List<Double> one = new ArrayList<>();
      List<Double> two = new ArrayList<>();
      Path directory = load.journal ? Files.createTempDirectory("loops") : null;
      try (UnseenServer server = start(directory)) {
        measure(server, load, 2); // to warm up
        for (int i = 0; i < rounds; i++) {
          one.add(measure(server, load, 1));
          two.add(measure(server, load, 2));
        }
      }
      one.forEach(v -> lines.append("%s,1,%.0f%n".formatted(load.name, v)));
      two.forEach(v -> lines.append("%s,2,%.0f%n".formatted(load.name, v)));
      out.printf(
          Locale.ROOT,
          "%-38s one loop %5.2f million per second, two %5.2f: %.2f times%n",
          load.name,
          median(one) / 1e6,
          median(two) / 1e6,
          median(two) / median(one));
      out.flush();
    }
    if (csv != null) {
      Files.writeString(csv, lines);
    }
    return 0;
  }

  private static UnseenServer start(Path directory) throws IOException {
    List<String> args =
        new ArrayList<>(List.of("--port", "0", "--memory", "64M", "--set-memory", "64M"));
    if (directory != null) {
      args.addAll(List.of("--dir", directory.toString()));
    }
    return UnseenServer.start(ServeOptions.parse(args.toArray(String[]::new)));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** Returns the requests per second of all loops, each of which runs in a thread of its own. */
  private double measure(UnseenServer server, Load load, int loops) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(loops);
    try {
      CyclicBarrier start = new CyclicBarrier(loops);
      List<Future<Double>> rates = new ArrayList<>();
      for (int i = 0; i < loops; i++) {
        int number = i;
        rates.add(threads.submit(() -> loop(server.commands(), load, number, start)));
      }
      double sum = 0;
      for (Future<Double> rate : rates) {
        sum += rate.get();
      }
      return sum;
    } finally {
      threads.shutdown();
    }
  }

  private double loop(CommandTable commands, Load load, int number, CyclicBarrier start)
      throws ProtocolException, InterruptedException, BrokenBarrierException {
    List<ByteBuf> pipelines = pipelines(load, number);
    Client client = new Client(number, "here", commands.context().users().initial().orElseThrow());
    Dispatcher dispatcher = new Dispatcher(commands, client);
    RespReader reader = new RespReader(commands.context().options().limits());
    RespWriter reply = new RespWriter();
    start.await();
    long began = System.nanoTime();
    long end = began + seconds * 1_000_000_000L;
    long done = 0;
    while (System.nanoTime() < end) {
      reader.feed(pipelines.get((int) (done % PIPELINES)).duplicate());
      for (Request r = reader.next(); r != null; r = reader.next()) {
        dispatcher.run(r, reply);
      }
      dispatcher.finish(reply);
      commands.context().keyspace().journal().commit();
      reply.rewind(0);
      done++;
    }
    return done * PIPELINE / ((System.nanoTime() - began) / 1e9);
  }

  private static List<ByteBuf> pipelines(Load load, int number) {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    String[] words =
        load.words.stream()
            .map(word -> word.equals("OWN") ? "k" + number : word)
            .toArray(String[]::new);
    List<ByteBuf> pipelines = new ArrayList<>();
    for (int i = 0; i < PIPELINES; i++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int j = 0; j < PIPELINE; j++) {
        bytes.writeBytes(RespClient.request(random, words));
      }
      pipelines.add(Unpooled.wrappedBuffer(bytes.toByteArray()));
    }
    return pipelines;
  }
}
