package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;

import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench/compare runtimes}: measures whether huge pages or another JDK make a difference. */
@Command(
    name = "runtimes",
    description =
        "Measures some of our filters and the limits by default, with huge pages, and on another JDK;"
            + " each contestant takes turns with itself.",
    mixinStandardHelpOptions = true)
final class RuntimesCommand implements Callable<Integer> {
  private static final int ROUND = 1 << 19;
  private static final int WARM_UP = 4;

  private static final List<String> NAMES =
      List.of(
          "recency batch",
          "recency one-by-one",
          "rlbsbf batch",
          "rlbsbf one-by-one",
          "limit of 1 line",
          "limit of 2 lines");

  @Spec private CommandSpec spec;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "512M",
      converter = CompareCommand.Size.class,
      description = "Memory of each contestant. Default: ${DEFAULT-VALUE}.")
  private long memory;

  @Option(names = "--java", paramLabel = "PATH", description = "Also run on the JDK at this path.")
  private Path jdk;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Number of rounds that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  /** A way to run a contestant. */
  private record Way(String name, Java java, boolean hugePages) {}

  @Override
  public Integer call() throws IOException {
    if (memory < MiB(1) || memory > GiB(8)) {
      throw invalid("--memory (%,d bytes) must be 1M to 8G".formatted(memory));
    }
    if (rounds < 1) {
      throw invalid("--rounds (%d) must be at least 1".formatted(rounds));
    }
    PrintWriter out = spec.commandLine().getOut();
    List<Way> ways = ways();
    long needed = ways.size() * Entry.named(NAMES.get(0)).processBytes(scenario(ways.get(0)));
    if (needed > Machine.freeBytes()) {
      throw invalid(
          "--memory (%s) needs %s in total, but only %s are free; use less"
              .formatted(
                  Print.bytes(memory), Print.bytes(needed), Print.bytes(Machine.freeBytes())));
    }
    out.println(Machine.here(Java.own()).describe());
    out.printf(
        "%n%s; nanoseconds a record%n%n",
        scenario(ways.get(0)).describe().replace(", default flags", ""));
    out.println(
        ways.stream()
            .map(way -> String.format("%24s", way.name()))
            .collect(Collectors.joining(" | ", "| contestant         | ", " |")));
    out.println("|--------------------|" + "-------------------------:|".repeat(ways.size()));
    for (String name : NAMES) {
      out.println(row(name, ways));
      out.flush();
    }
    return 0;
  }

  private List<Way> ways() throws IOException {
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("default", Java.own(), false));
    ways.add(new Way("huge pages", Java.own(), true));
    if (jdk != null) {
      Java other = Java.at(jdk);
      ways.add(new Way(other.release(), other, false));
      ways.add(new Way(other.release() + ", huge pages", other, true));
    }
    return ways;
  }

  private Scenario scenario(Way way) {
    return new Scenario(memory, 0.5, true, way.hugePages(), 1, false);
  }

  /** Returns the times of one contestant, and the speed of each way compared with the default. */
  private String row(String name, List<Way> ways) throws IOException {
    StatusLine progress = new StatusLine(spec.commandLine().getErr());
    List<Racer> racers = new ArrayList<>();
    List<List<Racer.Round>> times = new ArrayList<>();
    try {
      for (Way way : ways) {
        racers.add(new Racer(way.java(), Entry.named(name), scenario(way), ROUND));
        times.add(new ArrayList<>());
        racers.get(racers.size() - 1).awaitFilled();
      }
      for (int round = -WARM_UP; round < rounds; round++) {
        progress.accept(name);
        for (int i = 0; i < racers.size(); i++) {
          Racer.Round time = racers.get(i).round();
          if (round >= 0) {
            times.get(i).add(time);
          }
        }
      }
      StringBuilder row = new StringBuilder(String.format("| %-18s |", name));
      double byDefault = Double.NaN;
      for (int i = 0; i < racers.size(); i++) {
        double nanos = Result.of(racers.get(i), scenario(ways.get(i)), times.get(i)).nanos();
        byDefault = i == 0 ? nanos : byDefault;
        row.append(
            i == 0
                ? String.format(Locale.ROOT, " %24.1f |", nanos)
                : String.format(Locale.ROOT, " %15.1f (x %.2f) |", nanos, byDefault / nanos));
      }
      return row.toString();
    } finally {
      racers.forEach(Racer::close);
    }
  }

  private CommandLine.ParameterException invalid(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
