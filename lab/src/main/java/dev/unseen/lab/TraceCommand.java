package dev.unseen.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.io.KeyReader;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.lab.output.Json;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.trial.KeySource;
import dev.unseen.lab.trial.SyntheticKeys;
import dev.unseen.lab.trial.Tally;
import dev.unseen.lab.trial.TraceTrial;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen lab trace}: runs real data, or a synthetic stream, through the filters. */
@Command(
    name = "trace",
    description =
        "Runs real data, or a synthetic stream, through all kinds of filter, or through the ones you name, and counts"
            + " their errors.",
    sortOptions = false)
final class TraceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private StreamHelp streams;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "File with the data; .gz, .xz and .zst files are decompressed.")
  private Path file;

  @Option(
      names = "--synthetic",
      paramLabel = "STREAM",
      description =
          "Instead of a FILE: a synthetic stream, such as loop:1600000:400000, which goes round"
              + " 400,000 keys. All forms are listed below.")
  private String synthetic;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description =
          "Format of the file: lines, csv, tsv, jsonl, json, int32be or int64be. Default: guessed from the name; .trace is int32be.")
  private String format;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description =
          "Fields of JSON Lines, or columns of CSV by name or number, that form the key. Default: the whole record.")
  private String key;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      required = true,
      description = "Memory of each filter, such as 128K.")
  private String memory;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Wanted> wanted = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "Seed of the hash, the filters and a synthetic stream. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print a JSON array with one object per filter.")
  private boolean json;

  /** A filter that the user has named. */
  static final class Wanted {
    @Option(
        names = "--kind",
        paramLabel = "KIND",
        required = true,
        description = "Kind of filter to run. Default: all. Can be repeated.")
    private String kind;

    @Option(
        names = "--hashes",
        paramLabel = "N",
        description = "Set k of the kind before it. Each kind has its own default.")
    private Integer hashes;

    @Option(
        names = "--max-fpr",
        paramLabel = "E",
        description =
            "After --kind recency: lose at most this share of the new records. Default: 1e-4.")
    private String maxFpr;

    @Option(
        names = "--refresh",
        paramLabel = "WHEN",
        description = "After --kind recency: adaptive, always or never. Default: adaptive.")
    private String refresh;

    @Option(
        names = "--share",
        paramLabel = "Q",
        description = "After --kind sampled: store this share of the keys. Default: 0.5.")
    private String share;
  }

  @Override
  public Integer call() throws IOException {
    List<FilterSpec> specs = specs();
    try (KeySource keys = open()) {
      List<TraceTrial.Result> results = TraceTrial.run(keys, specs);
      if (json) {
        printJson(results);
      } else {
        printTable(results);
      }
    }
    return 0;
  }

  private KeySource open() throws IOException {
    if ((file == null) == (synthetic == null)) {
      throw new IllegalArgumentException(
          file == null
              ? "there is nothing to read; name a FILE, or a stream with --synthetic"
              : "FILE (%s) and --synthetic (%s) cannot be combined; leave one of them out"
                  .formatted(file, synthetic));
    }
    if (synthetic != null) {
      if (format != null || key != null) {
        throw new IllegalArgumentException("--format and --key need a FILE; leave them out");
      }
      return new SyntheticKeys(NamedStream.parse(synthetic, seed).stream());
    }
    RecordFormat records = TraceFormat.of(format, file);
    KeySpec fields = key == null ? KeySpec.WHOLE_RECORD : KeySpec.of(key);
    return KeySource.of(KeyReader.open(file, records, RecordSpec.of(fields)));
  }

  private List<FilterSpec> specs() {
    long bytes = Memory.parse(memory);
    List<FilterSpec> specs = new ArrayList<>();
    for (Wanted filter : wanted) {
      FilterSpec.Builder builder = FilterSpec.builder(FilterKind.of(filter.kind), bytes).seed(seed);
      if (filter.hashes != null) {
        builder.hashes(filter.hashes);
      }
      if (filter.maxFpr != null) {
        builder.maxFpr(Parse.share("--max-fpr", filter.maxFpr));
      }
      if (filter.refresh != null) {
        builder.refresh(Parse.choice("--refresh", filter.refresh, Refresh.class));
      }
      if (filter.share != null) {
        builder.set(Parameter.SHARE, Parse.share("--share", filter.share));
      }
      specs.add(builder.build());
    }
    if (specs.isEmpty()) {
      for (FilterKind kind : FilterKind.values()) {
        specs.add(FilterSpec.builder(kind, bytes).seed(seed).build());
      }
    }
    return specs;
  }

  private void printTable(List<TraceTrial.Result> results) {
    PrintWriter out = spec.commandLine().getOut();
    Tally any = results.get(0).tally();
    out.printf(
        Locale.ROOT,
        "%s: %,d records, %,d distinct (%s), %,d bytes of memory for each filter%n%n",
        synthetic == null ? file.getFileName() : synthetic,
        any.records(),
        any.distinct(),
        Print.percent(any.records() == 0 ? 0 : (double) any.distinct() / any.records()),
        Memory.parse(memory));
    out.printf("%-14s %3s %12s %12s %10s %10s%n", "kind", "k", "FPR", "FNR", "load", "M records/s");
    for (TraceTrial.Result r : results) {
      out.printf(
          Locale.ROOT,
          "%-14s %3d %10.4f %% %10.4f %% %8.2f %% %10.1f%n",
          r.spec().kind().id(),
          r.spec().hashes(),
          100 * r.tally().fpr(),
          100 * r.tally().fnr(),
          100 * r.tally().load(),
          r.recordsPerSecond() / 1e6);
    }
    out.println();
    out.println(
        "FPR: share of the distinct records that are lost. FNR: share of the duplicates that get through.");
    out.flush();
  }

  private void printJson(List<TraceTrial.Result> results) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator generator = new JsonFactory().createGenerator(out)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.setPrettyPrinter(new DefaultPrettyPrinter());
      Json.write(results.stream().map(TraceCommand::json).toList(), generator);
    }
    out.println();
    out.flush();
  }

  private static Map<String, Object> json(TraceTrial.Result r) {
    return Json.object(
        "kind", r.spec().kind().id(),
        "hashes", r.spec().hashes(),
        "memoryBytes", r.memoryBytes(),
        "records", r.tally().records(),
        "distinct", r.tally().distinct(),
        "falsePositives", r.tally().falsePositives(),
        "falseNegatives", r.tally().falseNegatives(),
        "fpr", r.tally().fpr(),
        "fnr", r.tally().fnr(),
        "load", r.tally().load());
  }
}
