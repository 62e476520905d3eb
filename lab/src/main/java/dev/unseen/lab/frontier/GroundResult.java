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

/** All results on one ground. */
public record GroundResult(Ground ground, List<Point> points) {
  /** The false positive rates at which structures are compared. */
  public static final List<Double> TARGETS = List.of(1e-4, 1e-3, 1e-2);

  private static final Comparator<Point> BY_FNR =
      Comparator.comparingDouble((Point p) -> p.tally().fnr())
          .thenComparingDouble(p -> p.tally().fpr());

  /** Creates the result, and marks the points that no other point beats. */
  static GroundResult of(Ground ground, List<Point> points) {
    return new GroundResult(
        ground,
        points.stream()
            .map(p -> p.onFrontier(points.stream().noneMatch(other -> other.beats(p))))
            .toList());
  }

  /** Returns the points of each family, in the order of the families. */
  Map<ContestantFamily, List<Point>> byFamily() {
    Map<ContestantFamily, List<Point>> families = new LinkedHashMap<>();
    for (Point p : points) {
      families.computeIfAbsent(p.family(), any -> new ArrayList<>()).add(p);
    }
    return families;
  }

  /**
   * Returns the setting of a family with the lowest FNR among those whose FPR is at most the
   * target.
   */
  Optional<Point> best(ContestantFamily family, double target) {
    return points.stream()
        .filter(p -> p.family().equals(family) && p.tally().fpr() <= target)
        .min(BY_FNR);
  }

  /** Returns the lowest FNR of the paper's five filters at the target. */
  OptionalDouble bestOfPaper(double target) {
    return points.stream()
        .filter(p -> p.family().role() == Role.PAPER && p.tally().fpr() <= target)
        .mapToDouble(p -> p.tally().fnr())
        .min();
  }

  /** Returns the best setting of each family that reaches the target, the lowest FNR first. */
  public List<Point> ranking(double target) {
    return byFamily().keySet().stream()
        .flatMap(family -> best(family, target).stream())
        .sorted(BY_FNR)
        .toList();
  }

  /**
   * Returns the FNR of a point divided by that of the best of the paper's five filters. It is empty
   * if none of these reaches the target.
   */
  public OptionalDouble ratio(Point point, double target) {
    OptionalDouble paper = bestOfPaper(target);
    return paper.isEmpty() || paper.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(point.tally().fnr() / paper.getAsDouble());
  }
}
