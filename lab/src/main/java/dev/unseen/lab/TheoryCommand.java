package dev.unseen.lab;

import dev.unseen.Memory;
import dev.unseen.bits.Mix;
import dev.unseen.draw.SvgWriter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.paper.PaperTheory;
import dev.unseen.plan.predict.Prediction;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.StreamModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code unseen lab theory}: compares the paper's theory with our model and with the filters
 * themselves.
 */
@Command(
    name = "theory",
    description = "Draws the paper's X, our model's X and the measured X on a stream of new keys.",
    sortOptions = false)
final class TheoryCommand implements Callable<Integer> {
  private static final List<FilterKind> KINDS =
      List.of(FilterKind.BSBF, FilterKind.BSBFSD, FilterKind.RLBSBF);
  private static final int POINTS = 28;
  private static final double FIRST = 0.1; // records per bit of a bank
  private static final double LAST = 300;

  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // picocli's
  @Mixin
  private Help help;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory for theory.csv and theory.svg.")
  private Path output;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      defaultValue = "16K",
      description =
          "Memory of each filter. Default: ${DEFAULT-VALUE}, for 20 million records each.")
  private String memory;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the keys and of the filters. Default: ${DEFAULT-VALUE}.")
  private long seed;

  /**
   * One moment of one filter: the chance that all bits of a new record are set, by the paper, by
   * the model, and measured.
   */
  record Row(FilterKind kind, double recordsPerBit, double paper, double model, double measured) {}

  @Override
  public Integer call() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (FilterKind kind : KINDS) {
      rows.addAll(run(FilterSpec.builder(kind, Memory.parse(memory)).seed(seed).build()));
    }
    Files.createDirectories(output);
    Files.write(output.resolve("theory.csv"), csv(rows));
    Files.writeString(
        output.resolve("theory.svg"),
        SvgWriter.write(TheoryPlot.of(rows), "The paper's X, our model and the measured load"));
    spec.commandLine().getOut().println("wrote theory.csv and theory.svg to " + output);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private List<Row> run(FilterSpec filterSpec) {
    DuplicateFilter filter = Filters.create(filterSpec);
    PaperTheory theory = PaperTheory.of(filterSpec);
    double bankBits = 8.0 * filter.memoryBytes() / filterSpec.hashes();
    List<Row> rows = new ArrayList<>();
    long records = 0;
    for (int i = 0; i < POINTS; i++) {
      double perBit = FIRST * Math.pow(LAST / FIRST, i / (POINTS - 1.0));
      long until = Math.round(perBit * bankBits);
      for (; records < until; records++) {
        filter.admit(Mix.mix(records + seed * Mix.GOLDEN)); // a bijection: all keys are new
      }
      rows.add(
          new Row(
              filterSpec.kind(),
              perBit,
              theory.x((double) records),
              model(filterSpec, (double) records),
              Math.pow(filter.load(), filterSpec.hashes())));
    }
    return rows;
  }

  /** Returns the model's value at the end of a stream of this number of new keys. */
  private static double model(FilterSpec filterSpec, double records) {
    StreamModel newKeys = StreamModel.recent(records, 0, RepeatDistances.uniformWithin(1));
    List<Prediction.Moment> moments = Predictions.of(filterSpec, newKeys).moments();
    return moments.get(moments.size() - 1).fpr();
  }

  private static List<String> csv(List<Row> rows) {
    List<String> lines = new ArrayList<>(List.of("kind,records_per_bit,paper,model,measured"));
    for (Row row : rows) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,%.4f,%.6f,%.6f,%.6f",
              row.kind().id(),
              row.recordsPerBit(),
              row.paper(),
              row.model(),
              row.measured()));
    }
    return lines;
  }
}
