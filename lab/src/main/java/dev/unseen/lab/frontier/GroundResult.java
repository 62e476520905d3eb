package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All results on one ground. */
public record GroundResult(Ground ground, List<Point> points) {
  /** The false positive rates at which structures are compared. */
  public static final List<Double> TARGETS = List.of(1e-4, 1e-3, 1e-2);

  /** The target by which families are sorted, and the one to quote. */
  public static final double MAIN_TARGET = 1e-3;

  static final Comparator<Point> BY_FNR =
      Comparator.comparingDouble((Point p) -> p.tally().fnr())
          .thenComparingDouble(p -> p.tally().fpr());

  /** Returns whether no other point is better in one rate and at least as good in the other. */
  boolean isOnFrontier(Point point) {
    return points.stream().noneMatch(other -> other.beats(point));
  }

  /** Returns all families at their best, and those that have a default also with that. */
  List<Contender> contenders() {
    Map<ContestantFamily, List<Point>> families =
        points.stream()
            .collect(
                Collectors.groupingBy(
                    p -> p.setting().family(), LinkedHashMap::new, Collectors.toList()));
    List<Contender> contenders = new ArrayList<>();
    families.forEach(
        (family, all) -> {
          contenders.add(new Contender(family, false, all));
          List<Point> defaults = all.stream().filter(p -> p.setting().isDefault()).toList();
          if (!defaults.isEmpty()) {
            contenders.add(new Contender(family, true, defaults));
          }
        });
    return contenders;
  }

  /** Returns the contenders, the lowest FNR at a target first; those that miss it are the last. */
  public List<Contender> ranking(double target) {
    Comparator<Point> missingLast = Comparator.nullsLast(BY_FNR);
    return contenders().stream()
        .sorted(Comparator.comparing(c -> c.at(target).orElse(null), missingLast))
        .toList();
  }

  /**
   * Returns the FNR of a point divided by that of the best of the paper's five filters at a target;
   * NaN if none of these reaches it, or if the best one has no false negatives.
   */
  public double ratio(Point point, double target) {
    double paper =
        points.stream()
            .filter(p -> p.setting().family().role() == Role.PAPER && p.tally().fpr() <= target)
            .mapToDouble(p -> p.tally().fnr())
            .min()
            .orElse(Double.NaN);
    return paper == 0 ? Double.NaN : point.tally().fnr() / paper;
  }
}
