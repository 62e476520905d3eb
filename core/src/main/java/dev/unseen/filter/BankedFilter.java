package dev.unseen.filter;

import dev.unseen.bits.BitBanks;
import dev.unseen.bits.SplitMix64;
import dev.unseen.bits.StateVisitor;
import java.io.IOException;

/** What the filters over k banks of bits share: a hash is seen if its bit is set in every bank. */
abstract class BankedFilter extends BatchingFilter {
  final BitBanks banks;
  final SplitMix64 random;

  /** The positions of a bank that random resets reach: all of them, but for one experiment. */
  final long reach;

  BankedFilter(FilterSpec spec, BitBanks banks) {
    super(spec);
    this.banks = banks;
    this.random = new SplitMix64(spec.seed());
    this.reach = spec.reachOf(banks.bitsPerBank());
  }

  BankedFilter(FilterSpec spec) {
    this(spec, BitBanks.partitioned(spec.hashes(), spec.bits()));
  }

  /** A filter that remembers more shows that first. */
  @Override
  public void state(StateVisitor visitor) throws IOException {
    random.state(visitor);
    banks.state(visitor);
  }

  @Override
  void merge(BatchingFilter other) {
    banks.or(((BankedFilter) other).banks);
  }

  @Override
  public final boolean mightContain(long hash) {
    return banks.contains(hash);
  }

  @Override
  final void locate(long hash, long[] at, int from) {
    banks.locate(hash, at, from);
  }

  @Override
  final long touch(long position) {
    return banks.touch(position);
  }

  /** Touches the random bits that k draws to come will name, one in each bank. */
  final long touchOneInEachBank(int firstDraw) {
    long sum = 0;
    for (int i = 0; i < spec().hashes(); i++) {
      sum += banks.touch(i, random.belowAhead(firstDraw + i, reach));
    }
    return sum;
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
  public final long memoryBytes() {
    return banks.memoryBytes();
  }
}
