package dev.unseen.lab;

import dev.unseen.Memory;
import dev.unseen.lab.frontier.Contender;
import dev.unseen.lab.frontier.FrontierFiles;
import dev.unseen.lab.frontier.Ground;
import dev.unseen.lab.frontier.GroundResult;
import dev.unseen.lab.frontier.Point;
import dev.unseen.lab.frontier.Sweep;
import dev.unseen.lab.paper.PublishedCell;
import dev.unseen.lab.rival.Arena;
import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.trial.HeldStream;
import dev.unseen.lab.trial.RunLog;
import dev.unseen.lab.trial.RunProgress;
import dev.unseen.text.Print;
import dev.unseen.text.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unseen lab frontier}: runs every structure with every setting at equal memory. */
@Command(
    name = "frontier",
    description =
        "Runs our filters and those of the literature, at all their settings and equal memory, and draws"
            + " FNR against FPR. By default it runs four real traces at 2, 4, 8 and 16 bits per distinct"
            + " key, and six synthetic streams at 4 and 8.",
    sortOptions = false)
final class FrontierCommand extends LabSubcommand {
  private static final List<Double> USUAL_BITS_PER_KEY = List.of(2.0, 4.0, 8.0, 16.0);

  /**
   * The memory at which filters differ most, because the synthetic streams show the influence of
   * the stream.
   */
  private static final List<Double> STREAMS_BITS_PER_KEY = List.of(4.0, 8.0);

  private static final int USUAL_REPEATS = 10;
  private static final long ENOUGH_RECORDS = 1_000_000;

  /**
   * The smallest memory in the paper's main tables, in MB; 8 MB is only in the tables of single
   * filters.
   */
  private static final int LEAST_PAPER_MEMORY = 64;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private StreamHelp streams;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "File with real data; .gz, .xz and .zst files are decompressed. Can be repeated.")
  private List<Path> traces = new ArrayList<>();

  @Option(
      names = "--max-records",
      paramLabel = "N",
      description =
          "Reduce traces with more records than this to the records of one key in 2, 4, 8 and so on."
              + " Default: traces are used whole.")
  private Long maxRecords;

  @Mixin private Traces reading;

  @Option(
      names = "--synthetic",
      paramLabel = "STREAM",
      description =
          "Synthetic stream, such as loop:1600000:400000, which goes round 400,000 keys. All forms"
              + " are listed below. Can be repeated.")
  private List<String> synthetic = new ArrayList<>();

  @Option(
      names = "--paper",
      description =
          "Run the paper's 24 combinations of records, distinct share and memory, at 1/N of their size (--scale N).")
  private boolean paper;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "With --paper: use 1/N of the records and 1/N of the memory. Default: 1000.")
  private Integer scale;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      description = "Memory of each structure, such as 128K. Can be repeated.")
  private List<String> memories = new ArrayList<>();

  @Option(
      names = "--bits-per-key",
      paramLabel = "B",
      description =
          "Memory in bits per distinct key of each stream, rounded to 64 bytes. Default: 2, 4, 8 and 16, unless"
              + " --memory is set. Can be repeated.")
  private List<Double> bitsPerKey = new ArrayList<>();

  @Option(
      names = "--family",
      paramLabel = "NAME",
      description = "Structure to run, such as rlbsbf or a2. Default: all. Can be repeated.")
  private List<String> families = new ArrayList<>();

  @Option(
      names = "--min-rate",
      paramLabel = "P",
      description =
          "Leave out settings whose expected false positive rate is lower, where it is known before a run."
              + " Default: ${DEFAULT-VALUE}.")
  private double minRate = Arena.MIN_FPR;

  @Option(
      names = "--max-rate",
      paramLabel = "P",
      description =
          "Leave out settings whose expected false positive rate is higher, where it is known before a run."
              + " Default: ${DEFAULT-VALUE}.")
  private double maxRate = Arena.MAX_FPR;

  @Option(
      names = "--again",
      paramLabel = "NAME",
      description =
          "Run this structure again, such as recency after a change of its code. All other finished runs"
              + " are kept. Can be repeated.")
  private List<String> again = new ArrayList<>();

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "Number of runs of each setting, each with different hashes of the keys. Default: enough for a"
              + " million records, at most 10.")
  private Integer repeats;

  @Mixin private RunOptions run;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description =
          "Directory for frontier.csv, summary.md and index.html. Runs that its runs.jsonl lists as finished"
              + " are not run again.")
  private Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int threads = run.threads();
    checkOptions();
    List<ContestantFamily> chosen = families.isEmpty() ? ContestantFamily.all() : named(families);
    List<ContestantFamily> repeated = named(again);
    Files.createDirectories(directory);
    RunLog log = RunLog.open(directory.resolve("runs.jsonl"));
    long start = System.nanoTime();
    Sweep sweep = new Sweep(grounds(), chosen, minRate, maxRate, run.seed(), log);
    sweep.runAgain(repeated);
    try (RunProgress progress = new RunProgress(spec.commandLine().getErr())) {
      sweep.run(threads, progress);
    }
    List<GroundResult> results = sweep.results();
    String title = "The frontier: FNR against FPR at equal memory";
    FrontierFiles.write(results, directory, About.of(spec, title, run.seed(), start));
    report(results);
    return 0;
  }

  private void checkOptions() {
    if (scale != null && !paper) {
      throw new IllegalArgumentException("--scale (%d) needs --paper; add it".formatted(scale));
    }
    Require.that(paperScale() >= 1 && paperScale() <= 10_000, "scale", scale, "1 to 10000");
    Require.that(
        minRate > 0 && minRate <= maxRate && maxRate <= 1,
        "--min-rate",
        minRate,
        "above 0 and at most --max-rate (%s), which must be at most 1".formatted(maxRate));
    Require.that(
        repeats == null || (repeats >= 1 && repeats <= 1000), "repeats", repeats, "1 to 1000");
    Require.that(
        maxRecords == null || (maxRecords >= 1000 && !traces.isEmpty()),
        "--max-records",
        maxRecords,
        "at least 1000, and needs --trace");
    if (traces.isEmpty() && reading.areDescribed()) {
      throw new IllegalArgumentException("--format and --key need --trace; add one");
    }
    if (paper
        && traces.isEmpty()
        && synthetic.isEmpty()
        && !(memories.isEmpty() && bitsPerKey.isEmpty())) {
      throw new IllegalArgumentException(
          "--memory and --bits-per-key need --trace or --synthetic; the streams of --paper have"
              + " the paper's memory");
    }
    for (double bits : bitsPerKey) {
      Require.that(bits > 0 && bits <= 1000, "bits per key", bits, "above 0 and at most 1000");
    }
  }

  private static List<ContestantFamily> named(List<String> names) {
    List<ContestantFamily> all = ContestantFamily.all();
    List<String> ids = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    requireKnown("family", ids, all.stream().map(ContestantFamily::id).toList());
    return all.stream().filter(family -> ids.contains(family.id())).toList();
  }

  private List<Ground> grounds() throws IOException {
    List<Ground> grounds = new ArrayList<>();
    for (HeldStream stream : streams()) {
      if (stream.distinct() == 0) {
        throw new IllegalArgumentException("%s has no records".formatted(stream.name()));
      }
      for (String size : memories) {
        grounds.add(new Ground(stream, Memory.parse(size), repeats(stream)));
      }
      for (double bits : bitsPerKey(stream)) {
        grounds.add(Ground.ofBitsPerKey(stream, bits, repeats(stream)));
      }
    }
    if (paper) {
      grounds.addAll(paperGrounds());
    }
    return grounds.stream().distinct().toList();
  }

  private List<Double> bitsPerKey(HeldStream stream) {
    if (!memories.isEmpty() || !bitsPerKey.isEmpty()) {
      return bitsPerKey;
    }
    boolean usual = isUsual() && NamedStream.USUAL.contains(stream.name());
    return usual ? STREAMS_BITS_PER_KEY : USUAL_BITS_PER_KEY;
  }

  private boolean isUsual() {
    return traces.isEmpty() && synthetic.isEmpty() && !paper;
  }

  private int repeats(HeldStream stream) {
    return repeats != null
        ? repeats
        : (int) Math.max(1, Math.min(USUAL_REPEATS, ENOUGH_RECORDS / stream.records()));
  }

  private List<HeldStream> streams() throws IOException {
    memories.forEach(Memory::parse); // fails early if a size is not valid
    List<NamedStream> named =
        (isUsual() ? NamedStream.USUAL : synthetic)
            .stream().map(name -> NamedStream.parse(name, run.seed())).toList();
    List<HeldStream> streams = new ArrayList<>(isUsual() ? Traces.bundled(run.seed()) : List.of());
    for (Path file : traces) {
      HeldStream whole = reading.read(file, run.seed());
      streams.add(maxRecords == null ? whole : whole.sampled(maxRecords));
    }
    named.forEach(each -> streams.add(HeldStream.of(each, run.seed())));
    return streams;
  }

  private List<Ground> paperGrounds() {
    int divisor = paperScale();
    Map<String, HeldStream> streams = new LinkedHashMap<>();
    List<Ground> grounds = new ArrayList<>();
    List<PublishedCell> cells = new ArrayList<>(PublishedCell.all());
    cells.sort(
        Comparator.comparingLong(PublishedCell::records)
            .thenComparingInt(PublishedCell::distinctPercent)
            .thenComparingInt(PublishedCell::memoryMb));
    for (PublishedCell cell : cells) {
      if (cell.memoryMb() >= LEAST_PAPER_MEMORY) {
        long records = cell.records() / divisor;
        long distinct = records * cell.distinctPercent() / 100;
        String name =
            "%s:%ddistinct at 1/%d".formatted(cell.recordsName(), cell.distinctPercent(), divisor);
        HeldStream stream =
            streams.computeIfAbsent(
                name,
                any -> {
                  SyntheticStream paper = Streams.shuffled(records, distinct, run.seed());
                  return HeldStream.of(NamedStream.shuffled(name, paper), run.seed());
                });
        grounds.add(new Ground(stream, ((long) cell.memoryMb() << 20) / divisor, repeats(stream)));
      }
    }
    return grounds;
  }

  private int paperScale() {
    return scale == null ? 1000 : scale;
  }

  private void report(List<GroundResult> results) {
    PrintWriter out = out();
    double target = GroundResult.MAIN_TARGET;
    for (GroundResult result : results) {
      out.printf(
          "%s: the lowest FNR at an FPR of at most %s%n",
          result.ground().describe(), Print.percent(target));
      for (Contender contender : result.ranking(target)) {
        contender.at(target).ifPresent(point -> report(contender, point, result, target));
      }
      out.println();
    }
    out.printf("Written to %s: frontier.csv, summary.md, and index.html to look at.%n", directory);
  }

  private void report(Contender contender, Point p, GroundResult result, double target) {
    double ratio = result.ratio(p, target);
    out()
        .printf(
            Locale.ROOT,
            "  %-15s %8s  at FPR %8s  %-22s%s%n",
            contender.label(),
            Print.percent(p.tally().fnr()),
            Print.percent(p.tally().fpr()),
            p.setting().parameters(),
            Double.isNaN(ratio)
                ? ""
                : String.format(Locale.ROOT, "  %5.2f of the paper's best", ratio));
  }
}
