package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** All that was measured on one ground. */
public record GroundResult(Ground ground, List<Point> points) {
  /** The false positive rates at which structures are compared. */
  public static final List<Double> TARGETS = List.of(1e-4, 1e-3, 1e-2);

  private static final Comparator<Point> BY_FNR =
      Comparator.comparingDouble((Point p) -> p.tally().fnr())
          .thenComparingDouble(p -> p.tally().fpr());

  /** Marks the points that no other one beats. */
  static GroundResult of(Ground ground, List<Point> points) {
    return new GroundResult(
        ground,
        points.stream()
            .map(p -> p.onFrontier(points.stream().noneMatch(other -> other.beats(p))))
            .toList());
  }

  /** The points of each family, in the order of the families. */
  Map<ContestantFamily, List<Point>> byFamily() {
    Map<ContestantFamily, List<Point>> families = new LinkedHashMap<>();
    for (Point p : points) {
      families.computeIfAbsent(p.family(), any -> new ArrayList<>()).add(p);
    }
    return families;
  }

  /** The setting of a family with the lowest FNR of those whose FPR is at most the target. */
  Optional<Point> best(ContestantFamily family, double target) {
    return points.stream()
        .filter(p -> p.family().equals(family) && p.tally().fpr() <= target)
        .min(BY_FNR);
  }

  /** The lowest FNR of the paper's five at the target. */
  OptionalDouble bestOfPaper(double target) {
    return points.stream()
        .filter(p -> p.family().role() == Role.PAPER && p.tally().fpr() <= target)
        .mapToDouble(p -> p.tally().fnr())
        .min();
  }

  /** The best setting of each family at a target, the lowest FNR first; those that reach it. */
  public List<Point> ranking(double target) {
    return byFamily().keySet().stream()
        .flatMap(family -> best(family, target).stream())
        .sorted(BY_FNR)
        .toList();
  }

  /** How a point's FNR compares with the best of the paper's five; empty if none reaches it. */
  public OptionalDouble ratio(Point point, double target) {
    OptionalDouble paper = bestOfPaper(target);
    return paper.isEmpty() || paper.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(point.tally().fnr() / paper.getAsDouble());
  }
}
