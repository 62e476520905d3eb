package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A row of a comparison: a family at its best setting, chosen with hindsight, or with the settings
 * that users get if they choose nothing but a rate.
 *
 * @param points its points on one ground
 */
record Contender(ContestantFamily family, boolean byDefault, List<Point> points) {

  /** Returns the contenders of a family: its best, and its default if it has one. */
  static Stream<Contender> of(ContestantFamily family, List<Point> points) {
    List<Point> defaults =
        points.stream().filter(p -> p.setting().defaultFor().isPresent()).toList();
    Contender best = new Contender(family, false, points);
    return defaults.isEmpty()
        ? Stream.of(best)
        : Stream.of(best, new Contender(family, true, defaults));
  }

  /** Returns its name, which says whether it is the default. */
  String label() {
    return byDefault ? family.label() + " default" : family.label();
  }

  /**
   * Returns the point that counts at a target. At its best it is the one with the lowest FNR among
   * those whose measured FPR is at most the target; by default, the one that was given the target
   * as its rate.
   */
  Optional<Point> at(double target) {
    return byDefault
        ? points.stream().filter(p -> p.isDefaultFor(target)).findFirst()
        : points.stream().filter(p -> p.tally().fpr() <= target).min(GroundResult.BY_FNR);
  }
}
