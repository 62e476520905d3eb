package dev.unseen.filter.engine;

import dev.unseen.bits.BitBanks;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.PositionsFilter;
import dev.unseen.state.StateVisitor;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * SAMPLED: a plain Bloom filter for a share of the keys, which is chosen by their hash. All other
 * keys are always let through.
 *
 * <pre>
 * for each element e:
 *   if e is not in the share: e is DISTINCT
 *   else as BLOOM
 * </pre>
 *
 * If the memory is too small for all keys, this is better than to store all of them and to forget
 * at random: all duplicates within the share are found, and fewer stored keys make fewer false
 * positives.
 */
final class SampledFilter extends PositionsFilter {
  /** Stands for a hash outside the share. */
  private static final long OUTSIDE = -1;

  final BitBanks banks;
  private final long limit; // the end of the hashes in the share, as an unsigned number

  SampledFilter(FilterSpec spec) {
    super(spec);
    this.banks = BitBanks.partitioned(spec.hashes(), spec.bits());
    this.limit =
        spec.get(Parameter.SHARE) == 1 ? -1 : (long) Math.scalb(spec.get(Parameter.SHARE), 63) << 1;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    banks.state(visitor);
  }

  @Override
  public void merge(BatchingFilter other) {
    banks.or(((SampledFilter) other).banks);
  }

  private boolean inShare(long hash) {
    return Long.compareUnsigned(Mix.mix(hash ^ Mix.GOLDEN), limit) <= 0;
  }

  @Override
  protected void locate(long hash, long[] at, int from) {
    if (inShare(hash)) {
      banks.locate(hash, at, from);
    } else {
      for (int i = 0; i < spec().hashes(); i++) {
        at[from + i] = OUTSIDE;
      }
    }
  }

  @Override
  protected long touch(long position) {
    return position == OUTSIDE ? 0 : banks.touch(position);
  }

  @Override
  protected boolean admitAt(long[] at, int from) {
    if (at[from] == OUTSIDE) {
      return true;
    }
    if (banks.allSet(at, from)) {
      return false;
    }
    banks.setAll(at, from);
    return true;
  }

  @Override
  public boolean mightContain(long hash, long millis) {
    return inShare(hash) && banks.contains(hash);
  }

  @Override
  public OptionalLong evicted() {
    return OptionalLong.of(0);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return OptionalDouble.of(1 - spec().get(Parameter.SHARE));
  }

  @Override
  public double load() {
    return banks.load();
  }

  @Override
  public double estimatedFpr() {
    return spec().get(Parameter.SHARE) * banks.allSetChance();
  }

  @Override
  public double estimatedCardinality() {
    return banks.estimatedKeys();
  }

  @Override
  public long memoryBytes() {
    return banks.memoryBytes();
  }
}
