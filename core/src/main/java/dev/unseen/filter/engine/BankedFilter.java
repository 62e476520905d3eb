package dev.unseen.filter.engine;

import dev.unseen.bits.BitBanks;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.PositionsFilter;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * The common part of the filters over k banks of bits. A hash is seen if its bit is set in every
 * bank.
 */
public abstract class BankedFilter extends PositionsFilter {
  protected final BitBanks banks;
  protected final SplitMix64 random;

  private BankedFilter(FilterSpec spec, BitBanks banks, boolean resets) {
    super(spec, spec.hashes(), resets);
    this.banks = banks;
    this.random = new SplitMix64(spec.seed());
    this.reach = banks.bitsPerBank();
  }

  /** Creates a filter over k banks, with random resets. */
  protected BankedFilter(FilterSpec spec) {
    this(spec, BitBanks.partitioned(spec.hashes(), spec.bits()), true);
  }

  /** Creates a filter without random resets. */
  BankedFilter(FilterSpec spec, BitBanks banks) {
    this(spec, banks, false);
  }

  /** Visits the storage. A filter with more state overrides this and visits that state first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    random.state(visitor);
    banks.state(visitor);
  }

  @Override
  public void merge(BatchingFilter other) {
    banks.or(((BankedFilter) other).banks);
  }

  @Override
  public final boolean mightContain(long hash, long millis) {
    return banks.contains(hash);
  }

  @Override
  protected final void locate(long hash, long[] at, int from) {
    banks.locate(hash, at, from);
  }

  @Override
  protected final long touch(long position) {
    return banks.touch(position);
  }

  /** Writes the random bits that the next k draws will select, one in each bank. */
  protected final int locateOneInEachBank(int firstDraw, long[] at, int from) {
    int k = spec().hashes();
    for (int i = 0; i < k; i++) {
      at[from + i] = banks.positionIn(i, random.belowAhead(firstDraw + i, reach));
    }
    return from + k;
  }

  @Override
  public final double load() {
    return banks.load();
  }

  @Override
  public final double estimatedFpr() {
    return banks.allSetChance();
  }

  @Override
  public final double estimatedCardinality() {
    return banks.estimatedKeys();
  }

  @Override
  public final long memoryBytes() {
    return banks.memoryBytes();
  }
}
