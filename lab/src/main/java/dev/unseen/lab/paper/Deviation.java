package dev.unseen.lab.paper;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The deviation of a reproduced rate from the published one. */
public record Deviation(PublishedCell cell, CellResult.Rate rate) {
  /** Returns the deviations of all rates that were reproduced as published, the largest first. */
  public static List<Deviation> worstFirst(List<CellResult> results) {
    return results.stream()
        .filter(r -> r.reading() == Reading.AS_PUBLISHED)
        .flatMap(r -> Stream.of(new Deviation(r.cell(), r.fpr()), new Deviation(r.cell(), r.fnr())))
        .sorted(Comparator.comparingDouble((Deviation d) -> d.rate().score()).reversed())
        .toList();
  }

  /** Returns the name of the cell within its table. */
  public String name() {
    return "%s k=%d, %d MB".formatted(cell.algorithm(), cell.k(), cell.memoryMb());
  }
}
