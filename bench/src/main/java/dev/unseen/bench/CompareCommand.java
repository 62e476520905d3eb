package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;

import dev.unseen.Memory;
import dev.unseen.draw.SvgWriter;
import dev.unseen.text.Parse;
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

/** {@code bench/compare}: ours, the peers and the limit, side by side on this machine. */
@Command(
    name = "bench/compare",
    description =
        "Measures our filters, those of others and the memory's limit, taking turns in one run.",
    mixinStandardHelpOptions = true,
    subcommands = {
      GrowthCommand.class,
      RuntimesCommand.class,
      ThroughCommand.class,
      KeyedCommand.class,
      SoakCommand.class
    })
final class CompareCommand implements Callable<Integer> {
  private static final long QUICK_BYTES = MiB(256);

  /** Those that run at more than a gibibyte, where one is filled for half a minute. */
  private static final Set<String> LARGE =
      Set.of(
          "recency batch",
          "rlbsbf batch",
          "rlbsbf-blocked batch",
          "plain loop",
          "limit of 1 line",
          "limit of 2 lines",
          "limit of 4 lines");

  @Spec private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "One scenario, and the filters that matter, within a minute of measuring.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  private Path json;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Write a chart, with a panel for each scenario.")
  private Path svg;

  @Option(
      names = "--at-most",
      paramLabel = "SIZE",
      converter = Size.class,
      description = "Take no more of the machine's memory at once; what is free unless set.")
  private Long atMost;

  @Option(
      names = "--java",
      paramLabel = "PATH",
      description = "The JDK that runs the contestants, if not the one that runs this.")
  private Path jdk;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      split = ",",
      converter = Size.class,
      description = "One scenario of this memory for each contestant, such as 64M; or several.")
  private List<Long> memory = List.of();

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "The share of duplicates in that scenario, 0 to 1; ${DEFAULT-VALUE} unless set.")
  private double duplicates;

  @Option(names = "--empty", description = "Do not fill the filters in that scenario.")
  private boolean empty;

  @Option(names = "--huge-pages", description = "Ask for huge pages, as ./unseen does.")
  private boolean hugePages;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads, each with its own part of the memory; ${DEFAULT-VALUE} unless set.")
  private int threads;

  @Option(
      names = "--strings",
      description = "Keys of 32 bytes instead of 8, for ours and the limit.")
  private boolean strings;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      split = ",",
      description = "Only contestants whose name contains one of these, and the limits.")
  private List<String> only = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds that count.")
  private Integer rounds;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of a round; fewer let slow contestants have their turn sooner.")
  private Integer records;

  /** Runs the command. */
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
    Java java = jdk == null ? Java.own() : Java.at(jdk);
    Machine machine = Machine.here(java);
    out.println(machine.describe());
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
              new StatusLine(spec.commandLine().getErr()));
      Ranking ranking = new Ranking(race.run(entries, heats));
      rankings.add(ranking);
      out.print(new SpeedTable(ranking).text());
      if (heats.all().size() > 1) {
        out.println("In " + heats.all().size() + " heats, as memory is too small for all at once.");
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
    if (svg != null) {
      Files.writeString(svg, SvgWriter.write(SpeedChart.of(rankings), SpeedChart.TITLE));
    }
    return 0;
  }

  private long free() {
    return atMost == null ? Machine.freeBytes() : Math.min(atMost, Machine.freeBytes());
  }

  private List<Scenario> scenarios() {
    if (duplicates < 0 || duplicates > 1) {
      throw refused("--duplicates (" + duplicates + ") must be 0 to 1");
    }
    if (threads < 1) {
      throw refused("--threads (" + threads + ") must be at least 1");
    }
    for (long bytes : memory) {
      if (bytes < MiB(1) || bytes > GiB(8)) {
        throw refused("--memory (%,d bytes) must be 1M to 8G".formatted(bytes));
      }
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

  /** A large scenario has fewer, and a small one all kinds, as they are filled quickly. */
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
                    || (isLimit(entry) && (!large || LARGE.contains(entry.name())))
                    || only.stream().anyMatch(entry.name()::contains))
        .toList();
  }

  /** Which are not run by several threads, as most of them cannot be, nor with strings. */
  private static boolean isPeer(Entry entry) {
    return entry.role() == EntryRole.APPROXIMATE_PEER || entry.role() == EntryRole.EXACT_PEER;
  }

  private static boolean isLimit(Entry entry) {
    return entry.role() == EntryRole.LIMIT || entry.role() == EntryRole.PLAIN_LOOP;
  }

  private CommandLine.ParameterException refused(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  /** Reads a number of records. */
  static final class Count implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Parse.count("count", text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(e.getMessage());
      }
    }
  }

  /** Reads a size of memory. */
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
