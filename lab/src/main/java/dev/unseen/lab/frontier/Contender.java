package dev.unseen.lab.frontier;

import dev.unseen.lab.rival.ContestantFamily;
import java.util.List;
import java.util.Optional;

/**
 * A row of a comparison: a family at its best setting, chosen with hindsight, or with the settings
 * that users get if they choose nothing but a rate.
 *
 * @param points its points on one ground
 */
public record Contender(ContestantFamily family, boolean byDefault, List<Point> points) {
  /** Returns its name, which says whether it is the default. */
  public String label() {
    return byDefault ? family.label() + " default" : family.label();
  }

  /**
   * Returns the point that counts at a target. At its best it is the one with the lowest FNR among
   * those whose measured FPR is at most the target; by default, the one that was given the target
   * as its rate.
   */
  public Optional<Point> at(double target) {
    return byDefault
        ? points.stream().filter(p -> p.setting().defaultFor() == target).findFirst()
        : points.stream().filter(p -> p.tally().fpr() <= target).min(GroundResult.BY_FNR);
  }
}
