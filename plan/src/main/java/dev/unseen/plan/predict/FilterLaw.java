package dev.unseen.plan.predict;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;

/**
 * How one filter forgets, in the three properties that distinguish the kinds ({@link ResetRule}):
 *
 * <ul>
 *   <li>which records it stores: each with chance c(t), by a coin that is tossed before anything
 *       else is known. If the coin says yes, all bits of the key are set afterwards: either they
 *       were, or the filter sets them. If it says no, the record changes nothing;
 *   <li>how many positions of a bank it resets per record;
 *   <li>how many resets clear a position: one, or Max for SBF with larger cells.
 * </ul>
 *
 * BSBF, BSBFSD, RLBSBF and BLOOM do nothing on a reported duplicate, whose bits are all set, so
 * their coin always says yes.
 */
final class FilterLaw {
  private final FilterSpec spec;
  private final ResetRule rule;
  private final double reach;
  private final double bits;
  private final double thirdPhase;

  FilterLaw(FilterSpec spec) {
    this(
        spec,
        KindProfile.of(spec.kind())
            .resets()
            .orElseThrow(
                () -> new IllegalArgumentException(spec.kind().id() + " has a model of its own")),
        1);
  }

  FilterLaw(FilterSpec spec, ResetRule rule, double reach) {
    this.spec = spec;
    this.rule = rule;
    this.reach = reach;
    long words = spec.memoryBytes() / Long.BYTES / spec.get(Parameter.CELL_BITS);
    this.bits = (double) (words * Long.SIZE) / spec.hashes();
    this.thirdPhase =
        rule.hasThirdPhase() ? bits / spec.get(Parameter.THRESHOLD) : Double.POSITIVE_INFINITY;
  }

  FilterSpec spec() {
    return spec;
  }

  /** Returns k, the number of positions per key. */
  int hashes() {
    return spec.hashes();
  }

  /** Returns a chance to the power of k. The model spends most of its time here. */
  double ofAll(double chance) {
    double result = 1;
    double square = chance;
    for (int e = spec.hashes(); e > 0; e >>= 1) {
      if ((e & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Returns s, the positions per bank. K keys on m cells of SBF are like 1 on m/K. */
  double bankBits() {
    return bits;
  }

  /** Returns the share of the positions that resets reach. */
  double reach() {
    return reach;
  }

  boolean storesAll() {
    return rule.storesAll();
  }

  /** Returns c(t), the chance that the coin chooses record t. */
  double storeChance(double t) {
    return storesAll() || t <= bits || t >= thirdPhase() ? 1 : bits / t;
  }

  /** Returns how many of the last records before t the coin chose: the integral of c. */
  double chosenAmongLast(double lag, double t) {
    double from = t - lag;
    if (storesAll() || t <= bits || from >= thirdPhase()) {
      return lag;
    }
    if (from >= bits && t <= thirdPhase()) {
      return bits * Math.log1p(lag / from); // stays exact where lag is small
    }
    return chosenBy(t) - chosenBy(from);
  }

  private double chosenBy(double t) {
    double sampledUntil = Math.min(t, thirdPhase());
    return t <= bits ? t : bits * (1 + Math.log(sampledUntil / bits)) + (t - sampledUntil);
  }

  /** Returns the record at which phase 3 of RSBF begins, s/t = p*; infinity for the others. */
  double thirdPhase() {
    return thirdPhase;
  }

  /** Returns the next record after t at which the law changes, or infinity. */
  double nextPhase(double t) {
    if (storesAll() || t >= thirdPhase()) {
      return Double.POSITIVE_INFINITY;
    }
    return t < bits ? bits : thirdPhase();
  }

  /** Returns the rate at which a position within reach is reset at record t. */
  double resetRate(double t, FilterState state) {
    return rule.resets().at(this, t, state) / (bits * reach());
  }

  /** Returns whether the reset rate depends on the filter's reports. */
  boolean resetsDependOnState() {
    return rule.dependsOnState();
  }

  /** Returns -ln of the chance that a full position survives a Poisson number of resets. */
  double hazard(double resets) {
    if (spec.get(Parameter.CELL_BITS) == 1) {
      return resets;
    }
    int max = (1 << spec.get(Parameter.CELL_BITS)) - 1;
    double term = 1;
    double sum = 1;
    for (int i = 1; i < max; i++) {
      term *= resets / i;
      sum += term;
    }
    return resets - Math.log(sum);
  }
}
