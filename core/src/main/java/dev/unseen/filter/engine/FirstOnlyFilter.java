package dev.unseen.filter.engine;

import dev.unseen.bits.BitBanks;
import dev.unseen.filter.FilterSpec;

/** The common part of the filters over banks in which a duplicate changes nothing. */
abstract class FirstOnlyFilter extends BankedFilter {
  /**
   * Up to this k, it is faster to compute the positions of new records twice than to write down
   * those of all: RLBSBF k = 2 of 512 MiB takes 112 ns per record, not 155; BLOOM k = 13 of 128 MiB
   * 560, not 330.
   */
  private static final int FEW = 4;

  private final boolean few;

  FirstOnlyFilter(FilterSpec spec, BitBanks banks) {
    super(spec, banks);
    this.few = spec.hashes() <= FEW;
  }

  FirstOnlyFilter(FilterSpec spec) {
    super(spec);
    this.few = spec.hashes() <= FEW;
  }

  abstract void insert(long[] at, int from);

  @Override
  protected final boolean admitAt(long[] at, int from) {
    if (banks.allSet(at, from)) {
      return false;
    }
    insert(at, from);
    return true;
  }

  @Override
  public final boolean admit(long hash, long millis) {
    if (!few) {
      return super.admit(hash, millis);
    }
    if (banks.allSet(hash)) {
      return false;
    }
    locate(hash, at, 0);
    insert(at, 0);
    return true;
  }
}
