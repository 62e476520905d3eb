package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.lab.rival.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

public record GroundResult(Ground ground, List<Point> points) {
  /** The false positive rates at which structures are compared. */
  public static final List<Double> TARGETS = List.of(1e-4, 1e-3, 1e-2);

  static final Comparator<Point> BY_FNR =
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
      families.computeIfAbsent(p.setting().family(), any -> new ArrayList<>()).add(p);
    }
    return families;
  }

  /** Returns all families at their best, and those that have a default also with that. */
  List<Contender> contenders() {
    return byFamily().entrySet().stream()
        .flatMap(family -> Contender.of(family.getKey(), family.getValue()))
        .toList();
  }

  /** Returns the lowest FNR of the paper's five filters at the target. */
  OptionalDouble bestOfPaper(double target) {
    return points.stream()
        .filter(p -> p.setting().family().role() == Role.PAPER && p.tally().fpr() <= target)
        .mapToDouble(p -> p.tally().fnr())
        .min();
  }

  /** A contender and its point at a target. */
  public record Rank(String label, Point point) {}

  /** Returns the contenders that reach the target, the lowest FNR first. */
  public List<Rank> ranking(double target) {
    return contenders().stream()
        .flatMap(c -> c.at(target).map(p -> new Rank(c.label(), p)).stream())
        .sorted(Comparator.comparing(Rank::point, BY_FNR))
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
