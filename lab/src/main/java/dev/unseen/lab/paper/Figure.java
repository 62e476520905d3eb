package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;
import java.util.List;

/** One of the paper's figures: rates, or the load, along the stream of one column of a table. */
record Figure(String id, String table, int memoryMb, List<Measure> panels) {
  enum Measure {
    FPR,
    FNR,
    LOAD;

    double of(Tally tally) {
      return switch (this) {
        case FPR -> tally.fpr();
        case FNR -> tally.fnr();
        case LOAD -> tally.load();
      };
    }
  }

  /** All figures, in the paper's order. */
  static final List<Figure> ALL =
      List.of(
          rates("1B:15distinct", 128),
          rates("1B:15distinct", 256),
          rates("1B:15distinct", 512),
          rates("1B:60distinct", 128),
          rates("1B:60distinct", 256),
          rates("1B:60distinct", 512),
          rates("695M:15distinct", 512),
          rates("695M:60distinct", 512),
          rates("695M:90distinct", 512),
          load("1B:15distinct", 256),
          load("1B:15distinct", 512));

  private static Figure rates(String table, int memoryMb) {
    return of("rates", table, memoryMb, Measure.FPR, Measure.FNR);
  }

  private static Figure load(String table, int memoryMb) {
    return of("load", table, memoryMb, Measure.LOAD);
  }

  private static Figure of(String what, String table, int memoryMb, Measure... panels) {
    String id = "%s-%s-%d".formatted(what, table.replace(':', '-'), memoryMb);
    return new Figure(id, table, memoryMb, List.of(panels));
  }

  boolean showsLoad() {
    return panels.contains(Measure.LOAD);
  }

  String title(PublishedCell cell) {
    return "%s records, %d %% distinct, %d MB%s"
        .formatted(
            cell.recordsName(), cell.distinctPercent(), memoryMb, showsLoad() ? ": load" : "");
  }
}
