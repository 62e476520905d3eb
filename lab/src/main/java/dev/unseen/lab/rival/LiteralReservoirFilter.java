package dev.unseen.lab.rival;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.ReservoirFilter;

/**
 * RSBF by the letter of the paper's algorithm 1: phase 2 inserts with probability s/iter whatever
 * was reported, DUPLICATE or DISTINCT. An inserted duplicate sets no bit and still resets one in
 * each filter.
 */
public final class LiteralReservoirFilter extends ReservoirFilter {
  public LiteralReservoirFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  protected boolean isSampled(boolean duplicate) {
    return true;
  }
}
