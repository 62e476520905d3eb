package dev.unseen.lab.paper;

import java.util.List;

/** One of the paper's figures: rates, or the load, along the stream of one column of a table. */
record Figure(String id, String table, int memoryMb, List<Measure> panels) {

  enum Measure {
    FPR,
    FNR,
    LOAD
  }

  private static final List<Measure> RATES = List.of(Measure.FPR, Measure.FNR);

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
    return new Figure(id("rates", table, memoryMb), table, memoryMb, RATES);
  }

  private static Figure load(String table, int memoryMb) {
    return new Figure(id("load", table, memoryMb), table, memoryMb, List.of(Measure.LOAD));
  }

  private static String id(String what, String table, int memoryMb) {
    return "%s-%s-%d".formatted(what, table.replace(':', '-'), memoryMb);
  }

  String title(PublishedCell cell) {
    return "%s records, %d %% distinct, %d MB%s"
        .formatted(
            cell.recordsName(),
            cell.distinctPercent(),
            memoryMb,
            panels.contains(Measure.LOAD) ? ": load" : "");
  }
}
