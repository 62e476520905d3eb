package dev.unseen.lab;

import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.recency.Measurement;
import dev.unseen.lab.recency.RecencyRuns;
import dev.unseen.lab.recency.Rises;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.trial.HeldStream;
import dev.unseen.text.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code unseen lab recency}: measures what RECENCY promises. */
@Command(
    name = "recency",
    description =
        "Measures RECENCY with its default settings against the exact truth: keys that nearly fit, windows,"
            + " loops, rare duplicates, real traces and new keys only. Each experiment writes its own CSV file.",
    sortOptions = false)
final class RecencyCommand extends LabSubcommand {
  private static final long WINDOW_MEMORY = 1 << 20;
  private static final long DISTINCT_MEMORY = 64 << 20;
  private static final List<Double> BYTES_PER_KEY = List.of(3.0, 3.1, 3.2, 3.28, 3.4);

  private static final List<String> EXPERIMENTS =
      List.of("twice", "window", "loops", "passes", "rare", "traces", "fpr");

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
    Require.that(seeds >= 1 && seeds <= 100, "--seeds", seeds, "1 to 100");
    Require.that(keys >= 1000 && keys <= 100_000_000, "--keys", keys, "1000 to 100 million");
    requireKnown("experiment", experiments, EXPERIMENTS);
    List<String> chosen = experiments.isEmpty() ? EXPERIMENTS : experiments;
    if (chosen.contains("traces") && traces.isEmpty()) {
      throw new IllegalArgumentException("experiment traces needs --trace; add one");
    }
    Files.createDirectories(output);
    RecencyRuns runs = new RecencyRuns(seeds);
    for (String experiment : chosen) {
      List<Measurement> all =
          experiment.equals("traces")
              ? traces(runs)
              : synthetic(experiment, runs).map(this::show).toList();
      save(experiment, Measurement.HEADER, all.stream().map(Measurement::csv).toList());
      if (experiment.equals("traces")) {
        save("rises", Rises.HEADER, Rises.csv(all));
      }
    }
    return 0;
  }

  private Stream<Measurement> synthetic(String experiment, RecencyRuns runs) {
    return switch (experiment) {
      case "twice" -> twice(runs);
      case "window" -> BYTES_PER_KEY.stream().map(b -> runs.window(WINDOW_MEMORY, b, 1e-4));
      case "loops" -> loops(runs);
      case "passes" -> passes(runs);
      case "rare" -> rare(runs);
      default -> Stream.of(new RecencyRuns(1).distinct(DISTINCT_MEMORY, 100 * keys, 1e-4));
    };
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

  private List<Measurement> traces(RecencyRuns runs) throws IOException {
    List<Measurement> all = new ArrayList<>();
    for (Path file : traces) {
      String name = file.getFileName().toString();
      HeldStream stream = Traces.whole(file, name.substring(0, name.indexOf('.')), 1);
      for (double bits : bitsPerKey) {
        for (double rate : rates) {
          all.add(show(runs.of(stream, bits, rate)));
        }
      }
    }
    return all;
  }

  private void save(String name, String header, List<String> lines) throws IOException {
    StringBuilder csv = new StringBuilder(header).append('\n');
    lines.forEach(line -> csv.append(line).append('\n'));
    WholeFile.write(output.resolve(name + ".csv"), csv.toString());
  }

  private Measurement show(Measurement m) {
    PrintWriter out = out();
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
