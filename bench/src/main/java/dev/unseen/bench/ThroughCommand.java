package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.text.Print;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/compare through}: compares the ways to send a list through a deduplicator,
 * alternating between them on one filter. It runs in this process, so the heap must hold the
 * filter.
 */
@Command(
    name = "through",
    description =
        "Compares the ways to send a list of records through a deduplicator, in turns, on one filter:"
            + " admitAll, through(stream), through(iterator) and filter(admit).",
    mixinStandardHelpOptions = true)
final class ThroughCommand implements Callable<Integer> {
  private static final int RECORDS = 1 << 19; // of a round
  private static final int BATCH = 1024;
  private static final int WARM_UP = 6;

  @Spec private CommandSpec spec;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256M",
      converter = CompareCommand.Size.class,
      description = "Memory of the filter. Default: ${DEFAULT-VALUE}.")
  private long memory;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Number of rounds that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  /** Sends a list through a deduplicator. Returns the number of records that came out. */
  private interface Way {
    long run(Deduplicator<Long> dedup, List<Long> records);
  }

  private record Contestant(String name, Way way, List<Double> nanos) {}

  @Override
  public Integer call() {
    if (memory < MiB(1) || memory > GiB(8)) {
      throw invalid("--memory (%,d bytes) must be 1M to 8G".formatted(memory));
    }
    if (rounds < 1) {
      throw invalid("--rounds (%d) must be at least 1".formatted(rounds));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(Machine.here(Java.own()).describe());
    out.printf("%s, lists of %,d numbers, 50 %% duplicates%n", Print.bytes(memory), RECORDS);
    Deduplicator<Long> dedup =
        Deduplicator.builder(Keys.longs()).memory(memory).onAlarm(any -> {}).build();
    KeyStream keys = new KeyStream(1, 0.5, 1 << 20);
    long[] numbers = new long[RECORDS];
    StatusLine status = new StatusLine(spec.commandLine().getErr());
    while (dedup.load() < 0.99) {
      status.accept("filling, " + Print.percent(dedup.load()));
      keys.nextFresh(numbers);
      dedup.admitAll(boxed(numbers));
    }
    List<Contestant> contestants = contestants();
    ThreadMXBean threads =
        ManagementFactory.getThreadMXBean(); // CPU time, because others may use the machine
    for (int round = -WARM_UP; round < rounds; round++) {
      status.accept(round < 0 ? "warming up" : "round %d of %d".formatted(round + 1, rounds));
      for (Contestant contestant : contestants) {
        keys.next(numbers);
        List<Long> records = boxed(numbers);
        long start = threads.getCurrentThreadCpuTime();
        long came = contestant.way.run(dedup, records);
        double nanos = (double) (threads.getCurrentThreadCpuTime() - start) / RECORDS;
        if (came == 0) {
          throw new IllegalStateException(contestant.name + " let nothing through");
        }
        if (round >= 0) {
          contestant.nanos.add(nanos);
        }
      }
    }
    print(out, contestants);
    return 0;
  }

  private static List<Contestant> contestants() {
    return List.of(
        contestant("admitAll, batches of 1024", ThroughCommand::batches),
        contestant("admitAll, the whole list", (dedup, list) -> dedup.admitAll(list).size()),
        contestant("through(list.stream())", (dedup, list) -> count(dedup.through(list.stream()))),
        contestant(
            "through(iterator, () -> true)",
            (dedup, list) -> {
              List<Long> sink = new ArrayList<>();
              dedup.through(list.iterator(), () -> true).forEachRemaining(sink::add);
              return sink.size();
            }),
        contestant("filter(admit)", (dedup, list) -> count(list.stream().filter(dedup::admit))));
  }

  private static Contestant contestant(String name, Way way) {
    return new Contestant(name, way, new ArrayList<>());
  }

  private static long batches(Deduplicator<Long> dedup, List<Long> list) {
    long came = 0;
    for (int i = 0; i < list.size(); i += BATCH) {
      came += dedup.admitAll(list.subList(i, i + BATCH)).size();
    }
    return came;
  }

  /** Collects into a list, as admitAll does. */
  private static long count(Stream<Long> stream) {
    List<Long> sink = new ArrayList<>();
    stream.forEach(sink::add);
    return sink.size();
  }

  private static List<Long> boxed(long[] numbers) {
    return new ArrayList<>(Arrays.stream(numbers).boxed().toList());
  }

  private static void print(PrintWriter out, List<Contestant> contestants) {
    out.printf("%n%-30s %12s %18s%n", "way", "ns a record", "speed to the first");
    for (Contestant contestant : contestants) {
      out.printf(
          Locale.ROOT,
          "%-30s %12.1f %18.2f%n",
          contestant.name,
          median(contestant.nanos),
          ratio(contestants.get(0), contestant));
    }
    out.flush();
  }

  /**
   * Returns the median of the ratios of all rounds. Both contestants had the same conditions in a
   * round.
   */
  private static double ratio(Contestant first, Contestant other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < first.nanos.size(); i++) {
      ratios.add(first.nanos.get(i) / other.nanos.get(i));
    }
    return median(ratios);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private CommandLine.ParameterException invalid(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
