package dev.unseen.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.output.Json;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.trial.HeldStream;
import dev.unseen.lab.trial.Tally;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unseen lab trace}: runs real data, or a synthetic stream, through the filters. */
@Command(
    name = "trace",
    description =
        "Runs real data, or a synthetic stream, through all kinds of filter, or through the ones you name, and counts"
            + " their errors.",
    sortOptions = false)
final class TraceCommand extends LabSubcommand {
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

  @Mixin private Traces traces;

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

  /** The errors of a filter and its speed. */
  private record Result(DuplicateFilter filter, Tally tally, double recordsPerSecond) {
    static Result of(FilterSpec spec, HeldStream stream) {
      DuplicateFilter filter = Filters.create(spec);
      long start = System.nanoTime();
      Tally tally = stream.run(Contestant.of(filter), 0, passed -> {});
      long nanos = Math.max(1, System.nanoTime() - start);
      return new Result(filter, tally, tally.records() * 1e9 / nanos);
    }

    String kind() {
      return filter.spec().kind().id();
    }
  }

  @Override
  public Integer call() throws IOException {
    List<FilterSpec> specs = specs();
    HeldStream stream = read();
    List<Result> results = specs.stream().map(spec -> Result.of(spec, stream)).toList();
    if (json) {
      printJson(results);
    } else {
      printTable(results);
    }
    return 0;
  }

  private HeldStream read() throws IOException {
    if ((file == null) == (synthetic == null)) {
      throw new IllegalArgumentException(
          file == null
              ? "there is nothing to read; name a FILE, or a stream with --synthetic"
              : "FILE (%s) and --synthetic (%s) cannot be combined; leave one of them out"
                  .formatted(file, synthetic));
    }
    if (synthetic == null) {
      return traces.read(file, seed);
    }
    if (traces.areDescribed()) {
      throw new IllegalArgumentException("--format and --key need a FILE; leave them out");
    }
    return HeldStream.of(NamedStream.parse(synthetic, seed), seed);
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

  private void printTable(List<Result> results) {
    PrintWriter out = out();
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
    for (Result r : results) {
      out.printf(
          Locale.ROOT,
          "%-14s %3d %10.4f %% %10.4f %% %8.2f %% %10.1f%n",
          r.kind(),
          r.filter().spec().hashes(),
          100 * r.tally().fpr(),
          100 * r.tally().fnr(),
          100 * r.filter().load(),
          r.recordsPerSecond() / 1e6);
    }
    out.println();
    out.println(
        "FPR: share of the distinct records that are lost. FNR: share of the duplicates that get through.");
  }

  private void printJson(List<Result> results) throws IOException {
    PrintWriter out = out();
    try (JsonGenerator generator = new JsonFactory().createGenerator(out)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.setPrettyPrinter(new DefaultPrettyPrinter());
      Json.write(results.stream().map(TraceCommand::json).toList(), generator);
    }
    out.println();
  }

  private static Map<String, Object> json(Result r) {
    return Json.object(
        "kind", r.kind(),
        "hashes", r.filter().spec().hashes(),
        "memoryBytes", r.filter().memoryBytes(),
        "records", r.tally().records(),
        "distinct", r.tally().distinct(),
        "falsePositives", r.tally().falsePositives(),
        "falseNegatives", r.tally().falseNegatives(),
        "fpr", r.tally().fpr(),
        "fnr", r.tally().fnr(),
        "load", r.filter().load());
  }
}
