package dev.unseen.lab.paper;

import static dev.unseen.lab.paper.TheorySetup.number;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.output.Table;
import dev.unseen.lab.rival.MeasuredReservoirFilter;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.trial.Tally;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Runs the paper's filters on a stream of new keys, where X is the load to the power k, and
 * compares it with the paper's X and with our model.
 */
public final class NewKeys {
  private static final List<String> SHOWN = List.of("1.0", "3.2", "10.0", "31.6", "100.0", "316.2");
  private static final int POINTS = 113; // 0.1 to 316 records per bit, 32 for each power of ten

  private final TheorySetup setup;
  private final Map<String, List<Tally>> tallies;

  private NewKeys(TheorySetup setup, Map<String, List<Tally>> tallies) {
    this.setup = setup;
    this.tallies = tallies;
  }

  /**
   * X of a filter at one moment.
   *
   * @param recordsPerBit the number of records so far, for each bit of a bank
   */
  public record Point(
      String filter, double recordsPerBit, double paper, double model, double measured) {}

  public static NewKeys run(TheorySetup setup) {
    Map<String, DuplicateFilter> filters = setup.filters();
    filters.put("rsbf as measured", new MeasuredReservoirFilter(setup.spec(FilterKind.RSBF)));
    filters.put("sbf", Filters.create(setup.spec(FilterKind.SBF)));
    long[] checkpoints =
        IntStream.range(0, POINTS)
            .mapToLong(i -> setup.count(0.1 * Math.pow(10, i / 32.0)))
            .toArray();
    long records = checkpoints[POINTS - 1];
    SyntheticStream allNew = Streams.shuffled(records, records, setup.seed());
    return new NewKeys(setup, TheorySetup.run(allNew, filters, checkpoints));
  }

  /** Returns every fourth moment of the filters whose X the paper derives. */
  public List<Point> points() {
    List<Point> points = new ArrayList<>();
    for (FilterKind kind : PaperTheory.TREATED) {
      FilterSpec spec = setup.spec(kind);
      PaperTheory theory = PaperTheory.of(spec);
      for (int i = 0; i < POINTS; i += 4) {
        Tally tally = tallies.get(kind.id()).get(i);
        points.add(
            new Point(
                kind.id(),
                tally.records() / setup.bankBits(),
                theory.after(tally.records()).x(),
                model(spec, (double) tally.records()),
                Math.pow(tally.load(), TheorySetup.K)));
      }
    }
    return points;
  }

  /** Returns the model's value at the end of a stream of this number of new keys. */
  private static double model(FilterSpec spec, double records) {
    StreamModel newKeys = StreamModel.recent(records, 0, RepeatDistances.uniformWithin(1));
    return Predictions.of(spec, newKeys).finalFpr();
  }

  /** Returns X of all moments, one to a row. */
  public static Table x(List<Point> points) {
    Table table = new Table("theory", "", "filter,records_per_bit,paper,model,measured");
    for (Point p : points) {
      table.add(
          p.filter(),
          number(p.recordsPerBit(), 4),
          number(p.paper(), 4),
          number(p.model(), 4),
          number(p.measured(), 4));
    }
    return table;
  }

  /** Returns X of some moments, with the filters next to each other. */
  public static Table summary(List<Point> points) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    rows.put("", new ArrayList<>(List.of("records_per_bit")));
    PaperTheory.TREATED.forEach(kind -> rows.get("").add(kind.id()));
    for (Point p : points) {
      String at = number(p.recordsPerBit(), 1);
      if (SHOWN.contains(at)) {
        rows.computeIfAbsent(at, any -> new ArrayList<>(List.of(at)))
            .add(number(p.paper(), 4) + " / " + number(p.measured(), 4));
      }
    }
    Table table =
        new Table(
            "summary",
            "X, the chance that all bits of a new record are set: the paper / measured",
            String.join(",", rows.remove("")));
    rows.values().forEach(table::add);
    return table;
  }

  /** Returns the sums of the recurrence of RSBF, and the load, which they are meant to be. */
  public Table sums() {
    Table table =
        new Table(
            "sums",
            "RSBF: the sums whose total, to the power k, is the paper's X",
            "records_per_bit,A_1-s,A_s-p,A_p-m,total,measured_load");
    PaperTheory theory = PaperTheory.of(setup.spec(FilterKind.RSBF));
    for (Tally tally : tallies.get(FilterKind.RSBF.id())) {
      String at = number(tally.records() / setup.bankBits(), 1);
      if (SHOWN.contains(at)) {
        List<Double> sums = theory.after(tally.records()).sums();
        table.add(
            at,
            number(sums.get(0), 4),
            number(sums.get(1), 4),
            number(sums.get(2), 4),
            number(sums.get(0) + sums.get(1) + sums.get(2), 4),
            number(tally.load(), 4));
      }
    }
    return table;
  }

  /** Returns how soon the load of each filter settles. */
  public Table convergence() {
    Table table =
        new Table(
            "convergence",
            "Records per bit until the load stays within 5 % of its last value, on new records",
            "filter,last_load,records_per_bit");
    tallies.forEach(
        (filter, along) ->
            table.add(
                filter,
                number(along.get(POINTS - 1).load(), 3),
                number(Tally.recordsUntilSettled(along) / setup.bankBits(), 2)));
    return table;
  }
}
