package dev.unseen.lab;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.io.KeyReader;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code unseen lab trace}: real data, or a synthetic stream, through the filters. */
@Command(
    name = "trace",
    description =
        "Runs real data, or a synthetic stream, through every kind of filter, or those named, and counts"
            + " errors.",
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
      description = "The data; .gz, .xz and .zst are read as what is in them.")
  private Path file;

  @Option(
      names = "--synthetic",
      paramLabel = "STREAM",
      description =
          "Instead of a FILE: a stream that is computed, such as loop:1600000:400000, which goes round"
              + " 400,000 keys; all are listed below.")
  private String synthetic;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description =
          "lines, csv, tsv, jsonl, json, int32be or int64be; guessed from the name unless given: .trace is int32be.")
  private String format;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description =
          "Fields of JSON Lines, or columns of CSV by name or number; the whole record unless given.")
  private String key;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      required = true,
      description = "Of each filter, such as 128K.")
  private String memory;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Wanted> wanted = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the hash, the filters and a synthetic stream. Default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print an array of objects, one a filter.")
  private boolean json;

  /** A filter that was named. */
  static final class Wanted {
    @Option(
        names = "--kind",
        paramLabel = "KIND",
        required = true,
        description = "A kind of filter; all unless given. Can be repeated.")
    private String kind;

    @Option(
        names = "--hashes",
        paramLabel = "N",
        description = "The k of the kind before it; its usual k unless given.")
    private Integer hashes;

    @Option(
        names = "--max-fpr",
        paramLabel = "E",
        description =
            "Of recency before it: the largest share of new records lost; 1e-4 unless given.")
    private String maxFpr;

    @Option(
        names = "--refresh",
        paramLabel = "WHEN",
        description = "Of recency before it: adaptive, always or never; adaptive unless given.")
    private String refresh;

    @Option(
        names = "--share",
        paramLabel = "Q",
        description =
            "Of sampled before it: the share of the keys that are stored; 0.5 unless given.")
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
              ? "what to read is missing: name a FILE, or a stream by --synthetic"
              : "FILE (%s) and --synthetic (%s) exclude each other; leave one out"
                  .formatted(file, synthetic));
    }
    if (synthetic != null) {
      if (format != null || key != null) {
        throw new IllegalArgumentException("--format and --key are of a FILE; leave them out");
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
        builder.refresh(Refresh.of(filter.refresh));
      }
      if (filter.share != null) {
        builder.share(Parse.share("--share", filter.share));
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
        "FPR: of the distinct records, those lost. FNR: of the duplicates, those let through.");
    out.flush();
  }

  private void printJson(List<TraceTrial.Result> results) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator generator = new JsonFactory().createGenerator(out)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.setPrettyPrinter(new DefaultPrettyPrinter());
      generator.writeStartArray();
      for (TraceTrial.Result r : results) {
        Tally tally = r.tally();
        generator.writeStartObject();
        generator.writeStringField("kind", r.spec().kind().id());
        generator.writeNumberField("hashes", r.spec().hashes());
        generator.writeNumberField("memoryBytes", r.memoryBytes());
        generator.writeNumberField("records", tally.records());
        generator.writeNumberField("distinct", tally.distinct());
        generator.writeNumberField("falsePositives", tally.falsePositives());
        generator.writeNumberField("falseNegatives", tally.falseNegatives());
        generator.writeNumberField("fpr", tally.fpr());
        generator.writeNumberField("fnr", tally.fnr());
        generator.writeNumberField("load", tally.load());
        generator.writeEndObject();
      }
      generator.writeEndArray();
    }
    out.println();
    out.flush();
  }
}
