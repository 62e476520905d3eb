package dev.unseen.plan.predict;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;

/**
 * Describes when a kind of filter resets bits, which records it stores, and what both depend on.
 */
abstract class ResetRule {
  /** BLOOM resets nothing. */
  static final ResetRule NONE =
      new ResetRule(false) {
        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          return 0;
        }
      };

  /** SBF decrements P of its cells at each record. */
  static final ResetRule EACH_RECORD =
      new ResetRule(false) {
        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          return (double) law.spec().get(Parameter.DECREMENTS) / law.hashes();
        }
      };

  /** BSBF resets one bit in each bank for a record that it reports distinct. */
  static final ResetRule ONE_IN_EACH_BANK =
      new ResetRule(true) {
        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          return state.reportedDistinct();
        }
      };

  /** BSBFSD resets one bit in one bank for a record that it reports distinct. */
  static final ResetRule ONE_IN_ONE_BANK =
      new ResetRule(true) {
        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          return state.reportedDistinct() / law.hashes();
        }
      };

  /** RLBSBF resets a bit in each bank with a chance that is the bank's load. */
  static final ResetRule BY_LOAD =
      new ResetRule(true) {
        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          return state.reportedDistinct() * state.load();
        }
      };

  /**
   * RSBF as printed stores record t with chance s/t, and from s/t = p* on stores all. That third
   * phase resets one set bit for each bit it sets; the chance that it is this one is 1/(ps).
   */
  static final ResetRule RESERVOIR =
      new ResetRule(true) {
        @Override
        boolean storesAll() {
          return false;
        }

        @Override
        double thirdPhase(FilterSpec spec, double bankBits) {
          return bankBits / spec.get(Parameter.THRESHOLD);
        }

        @Override
        double resetsPerBank(FilterLaw law, double t, FilterState state) {
          if (t < law.bankBits()) {
            return 0;
          }
          return t < law.thirdPhase()
              ? state.reportedDistinct() * law.bankBits() / t
              : state.gain() / Math.max(state.load(), 1 / law.bankBits());
        }
      };

  private final boolean dependsOnState;

  ResetRule(boolean dependsOnState) {
    this.dependsOnState = dependsOnState;
  }

  /** Returns the average number of positions of a bank that are reset at record t. */
  abstract double resetsPerBank(FilterLaw law, double t, FilterState state);

  boolean dependsOnState() {
    return dependsOnState;
  }

  boolean storesAll() {
    return true;
  }

  /** Returns the record at which a third phase stores all records again, or infinity. */
  double thirdPhase(FilterSpec spec, double bankBits) {
    return Double.POSITIVE_INFINITY;
  }
}
