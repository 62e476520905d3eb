package dev.unseen.lab;

import dev.unseen.io.KeyReader;
import dev.unseen.io.RecordSpec;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.recency.Measurement;
import dev.unseen.lab.recency.RecencyRuns;
import dev.unseen.lab.recency.Rises;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.trial.HeldStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code unseen lab recency}: measures what RECENCY promises. */
@Command(
    name = "recency",
    description =
        "Measures RECENCY with its default settings against the exact truth: keys that nearly fit, windows,"
            + " loops, rare duplicates, real traces and new keys only. Each experiment writes its own CSV file.",
    sortOptions = false)
final class RecencyCommand implements Callable<Integer> {
  private static final long WINDOW_MEMORY = 1 << 20;
  private static final long DISTINCT_MEMORY = 64 << 20;
  private static final List<Double> BYTES_PER_KEY = List.of(3.0, 3.1, 3.2, 3.28, 3.4);

  /** The experiments. */
  enum Experiment {
    TWICE,
    WINDOW,
    LOOPS,
    PASSES,
    RARE,
    TRACES,
    FPR;

    static Experiment of(String name) {
      return Arrays.stream(values())
          .filter(each -> each.id().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "experiment '%s' is unknown; known: %s"
                          .formatted(
                              name,
                              Arrays.stream(values())
                                  .map(Experiment::id)
                                  .collect(Collectors.joining(", ")))));
    }

    /** Returns its name on the command line, and that of its file. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

  @Option(
      names = {"-e", "--experiment"},
      paramLabel = "NAME",
      description =
          "Experiment to run. twice: keys that come twice and nearly fit; window: a steady window of 24 hours;"
              + " loops: keys in a loop, at 8 bits per key; passes: each pass of a loop, at 8 to 20 bits;"
              + " rare: new keys, of which few are sent again soon; traces: real streams, see --trace;"
              + " fpr: new keys only. Can be repeated. Default: all.")
  private List<String> experiments = new ArrayList<>();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "File with real data, for the experiment traces; .gz, .xz and .zst files are decompressed. The format is"
              + " guessed from the name; .trace is int32be. Can be repeated.")
  private List<Path> traces = new ArrayList<>();

  @Option(
      names = "--bits-per-key",
      paramLabel = "B",
      split = ",",
      defaultValue = "2,4,6,8,12,16",
      description = "Memory in bits per distinct key of each trace. Default: ${DEFAULT-VALUE}.")
  private List<Double> bitsPerKey;

  @Option(
      names = "--rates",
      paramLabel = "P",
      split = ",",
      defaultValue = "1e-4,3e-4,1e-3,2e-3,1e-2",
      description = "Largest false positive rates for the traces. Default: ${DEFAULT-VALUE}.")
  private List<Double> rates;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Number of keys in the experiment twice; loops and passes have 0.4 and fpr 100 times as many,"
              + " and rare has about a byte of memory per key. Default: ${DEFAULT-VALUE}.")
  private long keys;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Number of runs of each filter, each with different hashes of the keys. The experiment fpr has one."
              + " Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory for a CSV file per experiment, such as twice.csv.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    if (seeds < 1 || seeds > 100) {
      throw new IllegalArgumentException("--seeds (%d) must be 1 to 100".formatted(seeds));
    }
    if (keys < 1000 || keys > 100_000_000) {
      throw new IllegalArgumentException("--keys (%d) must be 1000 to 100 million".formatted(keys));
    }
    List<Experiment> chosen =
        experiments.isEmpty()
            ? List.of(Experiment.values())
            : experiments.stream().map(Experiment::of).toList();
    if (chosen.contains(Experiment.TRACES) && traces.isEmpty()) {
      throw new IllegalArgumentException("experiment traces needs --trace; add one");
    }
    Files.createDirectories(output);
    RecencyRuns runs = new RecencyRuns(seeds);
    for (Experiment experiment : chosen) {
      switch (experiment) {
        case TWICE -> write(experiment, twice(runs));
        case WINDOW ->
            write(
                experiment,
                BYTES_PER_KEY.stream().map(bytes -> runs.window(WINDOW_MEMORY, bytes, 1e-4)));
        case LOOPS -> write(experiment, loops(runs));
        case PASSES -> write(experiment, passes(runs));
        case RARE -> write(experiment, rare(runs));
        case TRACES -> traces(runs);
        case FPR ->
            write(
                experiment,
                Stream.of(new RecencyRuns(1).distinct(DISTINCT_MEMORY, 100 * keys, 1e-4)));
      }
    }
    return 0;
  }

  private Stream<Measurement> twice(RecencyRuns runs) {
    HeldStream stream = synthetic("loop:%d:%d".formatted(2 * keys, keys));
    return Stream.of(
        runs.of(stream, 24, 1e-4),
        runs.of(stream, 20, 1e-4),
        runs.of(stream, 16, 1e-4),
        runs.of(stream, 24, 1e-3),
        runs.of(stream, 20, 1e-3),
        runs.of(stream, 16, 1e-3));
  }

  private Stream<Measurement> loops(RecencyRuns runs) {
    long loop = keys * 2 / 5;
    return Stream.of(2, 4, 8)
        .map(passes -> synthetic("loop:%d:%d".formatted(passes * loop, loop)))
        .flatMap(stream -> Stream.of(runs.of(stream, 8, 1e-3), runs.of(stream, 8, 1e-4)));
  }

  private Stream<Measurement> passes(RecencyRuns runs) {
    return Stream.of(8, 12, 14, 16, 18, 20)
        .flatMap(bits -> runs.passes(keys * 2 / 5, 6, bits, 1e-4).stream());
  }

  private Stream<Measurement> rare(RecencyRuns runs) {
    long memory = (1 << 20) * keys / 1_000_000;
    return Stream.of(
        runs.rare(memory, 1e-4, 0.0005, 0.1),
        runs.rare(memory, 1e-4, 0.005, 0.1),
        runs.rare(memory, 1e-4, 0.05, 0.5),
        runs.rare(memory, 1e-4, 0.3, 0.5),
        runs.rare(memory, 1e-3, 0.0005, 0.5),
        runs.rare(memory, 1e-3, 0.005, 0.1),
        runs.rare(memory, 1e-3, 0.05, 0.1));
  }

  private static HeldStream synthetic(String name) {
    return HeldStream.of(NamedStream.parse(name, 1), 1);
  }

  private void traces(RecencyRuns runs) throws IOException {
    List<Measurement> all = new ArrayList<>();
    for (Path file : traces) {
      HeldStream stream = read(file);
      for (double bits : bitsPerKey) {
        for (double rate : rates) {
          all.add(show(runs.of(stream, bits, rate)));
        }
      }
    }
    save("traces", Measurement.HEADER, all.stream().map(Measurement::csv).toList());
    save("rises", Rises.HEADER, Rises.csv(all));
  }

  private static HeldStream read(Path file) throws IOException {
    String name = file.getFileName().toString();
    try (KeyReader reader =
        KeyReader.open(file, TraceFormat.of(null, file), RecordSpec.WHOLE_RECORDS)) {
      return HeldStream.read(name.substring(0, name.indexOf('.')), reader, 1);
    }
  }

  private void write(Experiment experiment, Stream<Measurement> measurements) throws IOException {
    save(
        experiment.id(),
        Measurement.HEADER,
        measurements.map(this::show).map(Measurement::csv).toList());
  }

  private void save(String name, String header, List<String> lines) throws IOException {
    StringBuilder csv = new StringBuilder(header).append('\n');
    lines.forEach(line -> csv.append(line).append('\n'));
    WholeFile.write(output.resolve(name + ".csv"), csv.toString());
  }

  private Measurement show(Measurement m) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-22s %6.2f bits per key, rate %.0e: FNR %9.5f %% ± %.5f, FPR %.2e%n",
        m.stream(),
        m.bitsPerKey(),
        m.maxFpr(),
        100 * m.fnr(),
        100 * m.fnrSd(),
        m.fpr());
    out.flush();
    return m;
  }
}
