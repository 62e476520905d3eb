package dev.unseen.filter;

import dev.unseen.bits.BitBanks;

/** The filters over banks that only a new hash changes: a duplicate leaves them as they are. */
abstract class FirstOnlyFilter extends BankedFilter {
  /**
   * Up to so many hashes it is quicker to compute the positions of the new records twice than to
   * write down those of all: RLBSBF k = 2 of 512 MiB takes 112 ns a record instead of 155, BLOOM k
   * = 13 of 128 MiB would take 560 instead of 330.
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

  /** Takes in a new hash, whose k positions these are. */
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
  public final boolean admit(long hash) {
    if (!few) {
      return super.admit(hash);
    }
    if (banks.allSet(hash)) {
      return false;
    }
    locate(hash, at, 0);
    insert(at, 0);
    return true;
  }
}
