package dev.unseen.lab;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.io.InputException;
import dev.unseen.io.KeyReader;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.stream.UniformStream;
import dev.unseen.lab.stream.ZipfStream;
import dev.unseen.lab.trial.AuditTrial;
import dev.unseen.lab.trial.AuditTrial.Coverage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code unseen lab audit}: measures how many intervals of audits contain the true rate. */
@Command(
    name = "audit",
    description =
        "Counts how many 95 %% intervals of audits contain the true rates, on uniform keys, Zipf's law and"
            + " real traces, with several filters.",
    sortOptions = false)
final class AuditCommand implements Callable<Integer> {
  private static final List<String> BUNDLED =
      List.of("orm-busy.trace.xz", "orm-night.trace.xz", "web12.trace.xz", "web07.trace.xz");
  private static final double[] EXPONENTS = {0, 0.5, 0.8, 1.0, 1.2};
  private static final String HEAD =
      "stream,records,distinct,filter,one_in,rate,truth,errors_in_a_sample,without_error,samples,"
          + "held,above,below,mean_to_truth,mean_width,held_alone,mean_to_truth_alone,mean_width_alone";

  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Real data, one big-endian 32-bit key per record; .gz, .xz and .zst files are decompressed."
              + " Can be repeated. Default: the four traces that come with the lab.")
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
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%-18s %-26s %12s %9s %7s %9s %7s %9s%n",
        "stream", "filter", "FPR", "held", "mean", "FNR", "held", "mean");
    List<String> lines = new ArrayList<>(List.of(HEAD));
    for (double exponent : EXPONENTS) {
      String name = exponent == 0 ? "uniform" : "zipf " + exponent;
      measure(name, synthetic(exponent), lines);
    }
    for (Path trace : traces) {
      try (KeyReader reader =
          KeyReader.open(trace, RecordFormat.INT32BE, RecordSpec.WHOLE_RECORDS)) {
        measure(trace.getFileName().toString(), read(reader), lines);
      }
    }
    for (String name : traces.isEmpty() ? BUNDLED : List.<String>of()) {
      try (KeyReader reader =
          KeyReader.of(
              AuditCommand.class.getResourceAsStream("traces/" + name),
              name,
              RecordFormat.INT32BE,
              RecordSpec.WHOLE_RECORDS)) {
        measure(name, read(reader), lines);
      }
    }
    WholeFile.write(output.resolve("coverage.csv"), String.join("\n", lines) + "\n");
    out.println("wrote coverage.csv to " + output);
    out.flush();
    return 0;
  }

  private static void require(String option, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s (%d) must be at least %d".formatted(option, value, least));
    }
  }

  /**
   * Returns keys by Zipf's law. Above exponent 1 there are few keys unless the universe is
   * unlimited; below, there are half as many keys as records.
   */
  private long[] synthetic(double exponent) {
    long universe = exponent > 1 ? 10L * records : records / 2;
    SyntheticStream stream =
        exponent == 0
            ? new UniformStream(records, universe, seed)
            : new ZipfStream(records, universe, exponent, seed);
    Hash64 hash = HashKind.XXH3.create(seed);
    long[] hashes = new long[records];
    Arrays.setAll(hashes, i -> hash.hash(stream.key(i)));
    return hashes;
  }

  private long[] read(KeyReader reader) throws InputException {
    Hash64 hash = HashKind.XXH3.create(seed);
    long[] hashes = new long[1 << 12];
    int count = 0;
    while (reader.next()) {
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * count);
      }
      hashes[count++] = hash.hash(reader.buffer(), reader.offset(), reader.length());
    }
    return Arrays.copyOf(hashes, count);
  }

  private void measure(String name, long[] hashes, List<String> lines) {
    AuditTrial trial = new AuditTrial(hashes);
    long oneIn = Math.max(1, Math.round((double) trial.distinct() / keys));
    filters(trial)
        .forEach(
            (filter, filterSpec) -> {
              AuditTrial.Result result = trial.run(filterSpec, oneIn, runs, samples);
              String start =
                  "%s,%d,%d,%s,%d"
                      .formatted(name, trial.records(), trial.distinct(), filter, oneIn);
              lines.add(start + ",fpr," + csv(result.fpr()));
              lines.add(start + ",fnr," + csv(result.fnr()));
              tell(name, filter, result);
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

  private static String csv(Coverage c) {
    return String.format(
        Locale.ROOT,
        "%.6g,%.2f,%.4f,%d,%.4f,%.4f,%.4f,%s,%.4g,%.4f,%s,%.4g",
        c.truth(),
        c.errors(),
        c.withoutError(),
        c.samples(),
        c.held(),
        c.above(),
        c.below(),
        toTruth(c.rate(), c),
        c.width(),
        c.heldAlone(),
        toTruth(c.rateAlone(), c),
        c.widthAlone());
  }

  private static String toTruth(double rate, Coverage c) {
    return c.truth() == 0 ? "" : String.format(Locale.ROOT, "%.4f", rate / c.truth());
  }

  private void tell(String name, String filter, AuditTrial.Result result) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-18s %-26s %10.4f %% %7.1f %% %7s %7.3f %% %5.1f %% %7s%n",
        name,
        filter,
        100 * result.fpr().truth(),
        100 * result.fpr().held(),
        toTruth(result.fpr().rate(), result.fpr()),
        100 * result.fnr().truth(),
        100 * result.fnr().held(),
        toTruth(result.fnr().rate(), result.fnr()));
    out.flush();
  }
}
