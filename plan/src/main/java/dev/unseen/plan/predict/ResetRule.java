package dev.unseen.plan.predict;

import dev.unseen.filter.Parameter;

/**
 * When a kind of filter resets bits, and which records it stores.
 *
 * @param dependsOnState whether the resets depend on what the filter reports, and so have to be
 *     solved for
 * @param storesAll whether every record is stored, without a coin
 * @param hasThirdPhase whether all records are stored again from s/t = p* on
 * @param resets how many positions of a bank are reset
 */
record ResetRule(boolean dependsOnState, boolean storesAll, boolean hasThirdPhase, Resets resets) {
  /** BLOOM resets nothing. */
  static final ResetRule NONE = new ResetRule(false, true, false, (law, t, state) -> 0);

  /** SBF decrements P of its cells at each record. */
  static final ResetRule EACH_RECORD =
      new ResetRule(
          false,
          true,
          false,
          (law, t, state) -> (double) law.spec().get(Parameter.DECREMENTS) / law.hashes());

  /** BSBF resets one bit in each bank for a record that it reports distinct. */
  static final ResetRule ONE_IN_EACH_BANK =
      new ResetRule(true, true, false, (law, t, state) -> state.reportedDistinct());

  /** BSBFSD resets one bit in one bank for a record that it reports distinct. */
  static final ResetRule ONE_IN_ONE_BANK =
      new ResetRule(true, true, false, (law, t, state) -> state.reportedDistinct() / law.hashes());

  /** RLBSBF resets a bit in each bank with a chance that is the bank's load. */
  static final ResetRule BY_LOAD =
      new ResetRule(true, true, false, (law, t, state) -> state.reportedDistinct() * state.load());

  /**
   * RSBF as printed stores record t with chance s/t, and from s/t = p* on stores all. That third
   * phase resets one set bit for each bit it sets; the chance that it is this one is 1/(ps).
   */
  static final ResetRule RESERVOIR = new ResetRule(true, false, true, ResetRule::ofReservoir);

  /** The average number of positions of a bank that are reset at record t. */
  interface Resets {
    double at(FilterLaw law, double t, FilterState state);
  }

  private static double ofReservoir(FilterLaw law, double t, FilterState state) {
    if (t < law.bankBits()) {
      return 0;
    }
    return t < law.thirdPhase()
        ? state.reportedDistinct() * law.bankBits() / t
        : state.gain() / Math.max(state.load(), 1 / law.bankBits());
  }
}
