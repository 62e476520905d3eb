package dev.unseen.lab.paper;

import static dev.unseen.lab.paper.TheorySetup.number;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.output.Table;
import dev.unseen.lab.rival.LiteralReservoirFilter;
import dev.unseen.lab.rival.MeasuredReservoirFilter;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.trial.Tally;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Runs the readings of RSBF on streams that are long enough for its third phase, which no published
 * table reaches, and on one that is not.
 */
public final class ReservoirPhases {
  private static final double THRESHOLD = 0.03; // p*, as in the paper
  private static final double PUBLISHED_RECORDS = 1e9;

  private final TheorySetup setup;

  public ReservoirPhases(TheorySetup setup) {
    this.setup = setup;
  }

  /** Returns the rates of each reading in phases 2 and 3 and in all, and the load at the end. */
  public Table rates() {
    Table table =
        new Table(
            "phases",
            "RSBF: conditional FPR and FNR in percent, of phase 2, phase 3 and all, and the load at the end",
            "stream,reading,FPR_2,FNR_2,FPR_3,FNR_3,FPR,FNR,load");
    for (int megabytes : new int[] {64, 2}) {
      long records = Math.round(PUBLISHED_RECORDS * setup.memoryBytes() / (megabytes << 20));
      run(
          "1B:60distinct at %d MB".formatted(megabytes),
          Streams.shuffled(records, records * 60 / 100, setup.seed()),
          table);
    }
    run(
        "half repeats within s/2",
        Streams.recency(setup.count(120), 0.5, Streams.within(setup.count(0.5)), setup.seed()),
        table);
    return table;
  }

  private void run(String name, SyntheticStream stream, Table table) {
    long end = stream.records();
    long second = setup.count(1);
    long third = Math.min(end, setup.count(1 / THRESHOLD));
    long[] checkpoints = LongStream.of(second, third, end).distinct().toArray();
    TheorySetup.run(stream, readings(), checkpoints)
        .forEach(
            (reading, tallies) -> {
              Tally all = tallies.get(tallies.size() - 1);
              List<String> row = new ArrayList<>(List.of(name, reading));
              row.addAll(rates(tallies.get(1).since(tallies.get(0))));
              row.addAll(third < end ? rates(all.since(tallies.get(1))) : List.of("", ""));
              row.addAll(rates(all));
              row.add(number(all.load(), 3));
              table.add(row);
            });
  }

  private static List<String> rates(Tally part) {
    return List.of(number(100 * part.fpr(), 2), number(100 * part.fnr(), 2));
  }

  private Map<String, DuplicateFilter> readings() {
    FilterSpec spec = setup.spec(FilterKind.RSBF);
    Map<String, DuplicateFilter> readings = new LinkedHashMap<>();
    readings.put("text and analysis", Filters.create(spec));
    readings.put("algorithm 1 literally", new LiteralReservoirFilter(spec));
    readings.put("without p*", Filters.create(setup.withoutThreshold()));
    readings.put("as measured in 2012", new MeasuredReservoirFilter(spec));
    return readings;
  }
}
