package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;

import dev.unseen.Memory;
import dev.unseen.text.Print;
import dev.unseen.text.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/compare}: compares the speed of our filters, of the peers and of the memory itself
 * on this machine.
 */
@Command(
    name = "bench/compare",
    description =
        "Measures our filters, those of others and the memory's limit, alternating in one run.",
    mixinStandardHelpOptions = true,
    subcommands = {
      SoakCommand.class,
      ServerSoakCommand.class,
      ServerLatencyCommand.class,
      ServerLoopsCommand.class
    })
final class CompareCommand implements Callable<Integer> {
  private static final long QUICK_BYTES = MiB(256);

  /** The contestants at more than a gibibyte, where filling one takes half a minute. */
  private static final Set<String> LARGE =
      Set.of(
          "recency batch",
          "rlbsbf batch",
          "plain loop",
          "limit of 1 line",
          "limit of 2 lines",
          "limit of 4 lines");

  @Spec private CommandSpec spec;

  @Option(
      names = "--quick",
      description =
          "Run one scenario with the most important filters, in less than a minute of measuring.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  private Path json;

  @Option(
      names = "--at-most",
      paramLabel = "SIZE",
      converter = Size.class,
      description = "Use at most this much memory at once. Default: the free memory.")
  private Long atMost;

  @Option(
      names = "--java",
      paramLabel = "PATH",
      description = "JDK that runs the contestants. Default: the JDK that runs this command.")
  private Path jdk;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      split = ",",
      converter = Size.class,
      description =
          "Run only a scenario with this memory for each contestant, such as 64M. Can be a list.")
  private List<Long> memory = List.of();

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "Share of duplicates in the scenario of --memory, 0 to 1. Default: ${DEFAULT-VALUE}.")
  private double duplicates;

  @Option(names = "--empty", description = "Do not fill the filters in that scenario.")
  private boolean empty;

  @Option(names = "--huge-pages", description = "Ask for huge pages, as ./unseen does.")
  private boolean hugePages;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of threads, each with its own part of the memory. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--strings",
      description = "Use keys of 32 bytes instead of 8, for our filters and the limit only.")
  private boolean strings;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      split = ",",
      description = "Run only contestants whose name contains one of these texts, and the limits.")
  private List<String> only = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "Number of rounds that count.")
  private Integer rounds;

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Number of records in a round. With fewer records, contestants take turns more often.")
  private Integer records;

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new CompareCommand())
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  command.getErr().println("bench/compare: " + e.getMessage());
                  return 1;
                })
            .execute(args));
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Ranking> rankings = new ArrayList<>();
    Java java = Java.at(jdk == null ? Path.of(System.getProperty("java.home")) : jdk);
    String machine = Machine.describe(java);
    out.println(machine);
    for (Scenario scenario : scenarios()) {
      out.println();
      List<Entry> entries = entries(scenario);
      Heats heats = new Heats(entries, scenario, free());
      if (heats.tooSmall() != null) {
        out.println(heats.tooSmall());
        out.flush();
        continue;
      }
      Race race =
          new Race(
              java,
              scenario,
              records == null ? (quick ? 1 << 18 : 1 << 19) : records,
              rounds == null ? (quick ? 9 : 15) : rounds,
              spec.commandLine().getErr());
      Ranking ranking = new Ranking(race.run(entries, heats));
      rankings.add(ranking);
      out.print(SpeedTable.of(ranking));
      if (heats.all().size() > 1) {
        out.println(
            "Runs in " + heats.all().size() + " heats: memory is too small for all at once.");
      }
      out.println(race.took());
      out.flush();
    }
    if (rankings.isEmpty()) {
      return 1;
    }
    if (json != null) {
      Files.writeString(json, ResultsJson.write(machine, rankings));
    }
    return 0;
  }

  private long free() {
    return atMost == null ? Machine.freeBytes() : Math.min(atMost, Machine.freeBytes());
  }

  private List<Scenario> scenarios() {
    Require.that(duplicates >= 0 && duplicates <= 1, "--duplicates", duplicates, "0 to 1");
    Require.that(threads >= 1, "--threads", threads, "at least 1");
    for (long bytes : memory) {
      Require.that(bytes >= MiB(1) && bytes <= GiB(8), "--memory", Print.bytes(bytes), "1M to 8G");
    }
    if (quick || !memory.isEmpty()) {
      List<Long> sizes = memory.isEmpty() ? List.of(QUICK_BYTES) : memory;
      return sizes.stream()
          .map(bytes -> new Scenario(bytes, duplicates, !empty, hugePages, threads, strings))
          .toList();
    }
    return List.of(
        new Scenario(MiB(512), 0.5, true, false, 1, false),
        new Scenario(MiB(512), 0.5, true, true, 1, false),
        new Scenario(MiB(512), 0.5, true, false, 2, false),
        new Scenario(MiB(512), 0.5, true, false, 1, true),
        new Scenario(MiB(512), 0, true, false, 1, false),
        new Scenario(MiB(512), 0.95, true, false, 1, false),
        new Scenario(MiB(512), 0.5, false, false, 1, false),
        new Scenario(MiB(1), 0.5, true, false, 1, false),
        new Scenario(MiB(32), 0.5, true, false, 1, false),
        new Scenario(GiB(4), 0.5, true, false, 1, false));
  }

  /**
   * Returns the contestants of a scenario. A large scenario has fewer; a small one has all kinds,
   * because they are filled quickly.
   */
  private List<Entry> entries(Scenario scenario) {
    boolean large = scenario.memoryBytes() > GiB(1);
    boolean all = !quick && scenario.memoryBytes() <= MiB(32);
    return Entry.all().stream()
        .filter(entry -> entry.main() || all || !only.isEmpty())
        .filter(entry -> !large || !only.isEmpty() || LARGE.contains(entry.name()))
        .filter(entry -> (scenario.threads() == 1 && !scenario.strings()) || !isPeer(entry))
        .filter(
            entry ->
                only.isEmpty()
                    || (entry.role().isLimit() && (!large || LARGE.contains(entry.name())))
                    || only.stream().anyMatch(entry.name()::contains))
        .toList();
  }

  /**
   * Returns whether a contestant is a peer. Peers are not run with several threads, which most of
   * them do not support, nor with strings.
   */
  private static boolean isPeer(Entry entry) {
    return entry.role() == EntryRole.APPROXIMATE_PEER || entry.role() == EntryRole.EXACT_PEER;
  }

  /** Parses a size of memory. */
  static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Memory.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }
}
