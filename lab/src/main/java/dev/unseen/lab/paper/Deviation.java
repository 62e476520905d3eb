package dev.unseen.lab.paper;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** How far one published rate is from the reproduced one. */
public record Deviation(PublishedCell cell, CellResult.Rate rate) {
  /** Of all rates that were reproduced as published, the worst first. */
  public static List<Deviation> worstFirst(List<CellResult> results) {
    return results.stream()
        .filter(r -> r.reading() == Reading.AS_PUBLISHED)
        .flatMap(r -> Stream.of(new Deviation(r.cell(), r.fpr()), new Deviation(r.cell(), r.fnr())))
        .sorted(Comparator.comparingDouble((Deviation d) -> d.rate().score()).reversed())
        .toList();
  }

  /** The cell within its table. */
  public String name() {
    return "%s k=%d, %d MB".formatted(cell.algorithm(), cell.k(), cell.memoryMb());
  }
}
