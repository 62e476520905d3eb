package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * RSBF as the published tables were measured, which is not as the paper prints it.
 *
 * <pre>
 * for each element e, the iter-th of the stream:
 *   H = the k positions of e, one in each Bloom filter of s = M/k bits
 *   e is a DUPLICATE if all bits in H are set, else DISTINCT
 *   with probability min(1, s/iter), DUPLICATE or not:
 *     reset one random bit of each filter
 *     set all bits in H
 * </pre>
 *
 * As printed ({@link ReservoirFilter}), the published 1B/60 %/512 MB would never leave phase 1 and
 * have no false negatives; 20.28 % are published, and this rule gives 20.31 %. It fits every RSBF
 * cell of every table.
 */
final class MeasuredReservoirFilter extends BankedFilter {
  private long iter;

  MeasuredReservoirFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    iter = visitor.count("iter", iter);
    super.state(visitor);
  }

  @Override
  public void merge(BatchingFilter other) {
    super.merge(other);
    iter = Counts.sum(iter, ((MeasuredReservoirFilter) other).iter);
  }

  @Override
  protected boolean admitAt(long[] at, int from) {
    boolean duplicate = banks.allSet(at, from);
    long s = banks.bitsPerBank();
    iter++;
    if (iter <= s || random.chance(s, iter)) {
      for (int i = 0; i < spec().hashes(); i++) {
        banks.reset(i, random.below(reach));
      }
      banks.setAll(at, from);
      insertions++;
    }
    return !duplicate;
  }

  /**
   * Locates the resets. While every record is chosen, choosing uses no random number, so the next
   * ones are known.
   */
  @Override
  protected int locateResetsOf(int insertion, long[] at, int from) {
    boolean allChosen = iter + insertion < banks.bitsPerBank();
    return allChosen ? locateOneInEachBank(insertion * spec().hashes(), at, from) : from;
  }
}
