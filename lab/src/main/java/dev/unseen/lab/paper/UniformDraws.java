package dev.unseen.lab.paper;

import static dev.unseen.lab.paper.TheorySetup.number;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.output.Table;
import dev.unseen.lab.stream.Streams;
import dev.unseen.lab.stream.SyntheticStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs the filters on uniform draws from U keys, which the paper's framework assumes, and compares
 * the chances that it derives with the measured ones.
 */
public final class UniformDraws {
  private static final int[] MOMENTS = {1, 3, 10, 30}; // records per bit of a bank
  private static final double MEASURED = 0.05; // the part around a moment, in proportion to it

  private final TheorySetup setup;

  public UniformDraws(TheorySetup setup) {
    this.setup = setup;
  }

  /** Returns X, Y, FPR, FNR, DUP and DIS of each filter, with U = 10 s. */
  public Table framework() {
    Table table =
        new Table(
            "framework",
            "The paper's framework, on uniform draws from 10 keys per bit of a bank",
            "filter,records_per_bit,source,X,Y,FPR,FNR,DUP,DIS");
    long universe = setup.count(10);
    Map<String, List<PaperMoment>> measured = run(setup.filters(), universe);
    for (FilterKind kind : PaperTheory.TREATED) {
      PaperTheory theory = PaperTheory.of(setup.spec(kind));
      for (int i = 0; i < MOMENTS.length; i++) {
        PaperMoment derived = theory.after(setup.count(MOMENTS[i])).moment((double) universe);
        add(table, kind, MOMENTS[i], "paper", derived);
        add(table, kind, MOMENTS[i], "measured", measured.get(kind.id()).get(i));
      }
    }
    return table;
  }

  private static void add(
      Table table, FilterKind kind, int moment, String source, PaperMoment chances) {
    table.add(
        kind.id(),
        Integer.toString(moment),
        source,
        number(chances.x(), 4),
        number(chances.y(), 4),
        number(chances.fpr(), 4),
        number(chances.fnr(), 4),
        number(chances.dup(), 4),
        number(chances.dis(), 4));
  }

  /** Returns the paper's earlier equations for RSBF without p*, for several U. */
  public Table withoutThreshold() {
    Table table =
        new Table(
            "without-threshold",
            "RSBF without p*: the earlier equations, the recurrence and what is measured",
            "keys_per_bit,records_per_bit,FPR_equation,FPR_recurrence,FPR_measured,k/U,FNR_recurrence,FNR_measured");
    FilterSpec spec = setup.withoutThreshold();
    for (int keysPerBit : new int[] {1, 10, 100}) {
      double universe = setup.count(keysPerBit);
      PaperTheory theory = PaperTheory.of(spec);
      List<PaperMoment> measured = run(Map.of("", Filters.create(spec)), (long) universe).get("");
      for (int i = 1; i < MOMENTS.length; i++) {
        double m = setup.count(MOMENTS[i]);
        PaperMoment derived = theory.after((long) m).moment(universe);
        double equation =
            PaperTheory.reservoirFprWithoutThreshold(m, universe, setup.bankBits(), TheorySetup.K);
        table.add(
            Integer.toString(keysPerBit),
            Integer.toString(MOMENTS[i]),
            number(equation, 4),
            number(derived.fpr(), 4),
            number(measured.get(i).fpr(), 4),
            number(TheorySetup.K / universe, 7),
            number(derived.fnr(), 4),
            number(measured.get(i).fnr(), 4));
      }
    }
    return table;
  }

  /** Returns what is measured around each moment. */
  private Map<String, List<PaperMoment>> run(Map<String, DuplicateFilter> filters, long universe) {
    long[] ends =
        IntStream.of(MOMENTS)
            .boxed()
            .flatMap(at -> Stream.of(at * (1 - MEASURED / 2), at * (1 + MEASURED / 2)))
            .mapToLong(setup::count)
            .toArray();
    SyntheticStream stream = Streams.uniform(ends[ends.length - 1], universe, setup.seed());
    Map<String, List<PaperMoment>> moments = new LinkedHashMap<>();
    TheorySetup.run(stream, filters, ends)
        .forEach(
            (name, tallies) ->
                moments.put(
                    name,
                    IntStream.range(0, MOMENTS.length)
                        .mapToObj(i -> tallies.get(2 * i + 1).since(tallies.get(2 * i)))
                        .map(PaperMoment::measured)
                        .toList()));
    return moments;
  }
}
