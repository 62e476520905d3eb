package dev.unseen.lab;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.trial.AuditTrial;
import dev.unseen.lab.trial.HeldStream;
import dev.unseen.text.Require;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code unseen lab audit}: measures how many intervals of audits contain the true rate. */
@Command(
    name = "audit",
    description =
        "Counts how many 95 %% intervals of audits contain the true rates, on uniform keys, Zipf's law and"
            + " real traces, with several filters.",
    sortOptions = false)
final class AuditCommand extends LabSubcommand {
  private static final double[] EXPONENTS = {0, 0.5, 0.8, 1.0, 1.2};
  private static final String HEAD =
      "stream,records,distinct,filter,one_in,rate," + AuditTrial.Coverage.COLUMNS;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "File with real data; .gz, .xz and .zst files are decompressed. The format is guessed from the"
              + " name; .trace is int32be. Can be repeated. Default: the four traces that come with the lab.")
  private List<Path> traces = new ArrayList<>();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Number of records in each synthetic stream. Default: ${DEFAULT-VALUE}.")
  private int records;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "500",
      description = "Approximate number of keys that an audit follows. Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Number of runs of each filter over each stream, each with different hashes of the keys."
              + " Default: ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Number of audits of each run, each of which follows different keys. Default: ${DEFAULT-VALUE}.")
  private int samples;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "The seed of the streams and of the filters. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory for coverage.csv.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    require("--records", records, 1000);
    require("--keys", keys, 2);
    require("--runs", runs, 1);
    require("--samples", samples, 1);
    Files.createDirectories(output);
    PrintWriter out = out();
    out.printf(
        "%-18s %-26s %12s %9s %7s %9s %7s %9s%n",
        "stream", "filter", "FPR", "held", "mean", "FNR", "held", "mean");
    List<String> lines = new ArrayList<>(List.of(HEAD));
    for (double exponent : EXPONENTS) {
      measure(synthetic(exponent), lines);
    }
    List<HeldStream> real = traces.isEmpty() ? Traces.bundled(seed) : new ArrayList<>();
    for (Path trace : traces) {
      real.add(Traces.whole(trace, trace.getFileName().toString(), seed));
    }
    real.forEach(stream -> measure(stream, lines));
    WholeFile.write(output.resolve("coverage.csv"), String.join("\n", lines) + "\n");
    out.println("wrote coverage.csv to " + output);
    return 0;
  }

  private static void require(String option, int value, int least) {
    Require.that(value >= least, option, value, "at least " + least);
  }

  /**
   * Returns keys by Zipf's law. Above exponent 1 there are few keys unless the universe is
   * unlimited; below, there are half as many keys as records.
   */
  private HeldStream synthetic(double exponent) {
    long universe = exponent > 1 ? 10L * records : records / 2;
    return exponent == 0
        ? HeldStream.of("uniform", Streams.uniform(records, universe, seed), seed)
        : HeldStream.of("zipf " + exponent, Streams.zipf(records, universe, exponent, seed), seed);
  }

  private void measure(HeldStream stream, List<String> lines) {
    String name = stream.name();
    AuditTrial trial = new AuditTrial(stream.hashes());
    long oneIn = Math.max(1, Math.round((double) trial.distinct() / keys));
    filters(trial)
        .forEach(
            (filter, filterSpec) -> {
              AuditTrial.Result result = trial.run(filterSpec, oneIn, runs, samples);
              String start =
                  "%s,%d,%d,%s,%d"
                      .formatted(name, trial.records(), trial.distinct(), filter, oneIn);
              lines.add(start + ",fpr," + result.fpr().csv());
              lines.add(start + ",fnr," + result.fnr().csv());
              report(name, filter, result);
            });
  }

  /**
   * Returns filters that forget little, filters that forget nearly everything, and one that forgets
   * nothing.
   */
  private Map<String, FilterSpec> filters(AuditTrial trial) {
    Map<String, FilterSpec> filters = new LinkedHashMap<>();
    UnaryOperator<FilterSpec.Builder> window =
        builder -> builder.window(Window.time(Duration.ofMillis(trial.records() / 10)));
    filters.put("recency 8 bits", of(FilterKind.RECENCY, 8, trial, b -> b));
    filters.put("recency 2 bits", of(FilterKind.RECENCY, 2, trial, b -> b));
    filters.put("rlbsbf 4 bits", of(FilterKind.RLBSBF, 4, trial, b -> b));
    filters.put("bloom 4 bits", of(FilterKind.BLOOM, 4, trial, b -> b));
    filters.put("sampled 4 bits", of(FilterKind.SAMPLED, 4, trial, b -> b));
    filters.put("recency 1 bit window", of(FilterKind.RECENCY, 1, trial, window));
    filters.put(
        "recency 1 bit never refresh",
        of(FilterKind.RECENCY, 1, trial, b -> window.apply(b).refresh(Refresh.NEVER)));
    return filters;
  }

  private FilterSpec of(
      FilterKind kind, double bits, AuditTrial trial, UnaryOperator<FilterSpec.Builder> options) {
    long lines = Math.max(1, Math.round(bits * trial.distinct() / Byte.SIZE / 64));
    return options.apply(FilterSpec.builder(kind, 64 * lines).seed(seed)).build();
  }

  private void report(String name, String filter, AuditTrial.Result result) {
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "%-18s %-26s %10.4f %% %7.1f %% %7s %7.3f %% %5.1f %% %7s%n",
        name,
        filter,
        100 * result.fpr().truth(),
        100 * result.fpr().held(),
        result.fpr().rateToTruth(),
        100 * result.fnr().truth(),
        100 * result.fnr().held(),
        result.fnr().rateToTruth());
    out.flush();
  }
}
