package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import java.io.IOException;

/**
 * RSBF, reservoir sampling based Bloom filter, as the paper prints it (Bera et al. 2012, section 3,
 * algorithm 1).
 *
 * <pre>
 * for each element e, the iter-th of the stream:
 *   H = the k positions of e, one in each Bloom filter of s = M/k bits
 *   e is a DUPLICATE if all bits in H are set, else DISTINCT
 *   phase 1, iter &lt;= s:       set all bits in H
 *   phase 3, s/iter &lt;= p*:    for each bit of H that is 0:
 *                               find a bit of that filter which is 1 and reset it; set the bit of H
 *   phase 2, in between:      if e is DISTINCT, with probability s/iter:
 *                               set all bits in H, then reset one random bit of each filter
 * </pre>
 *
 * "If e is DISTINCT" in phase 2 is in the text and in the analysis (equation for P_trans), not in
 * the printed algorithm. Module lab has the printed algorithm without that condition, and the
 * algorithm with which the published tables were measured.
 */
public class ReservoirFilter extends BankedFilter {
  /** In phase 3, how many random positions are tried before the bank is searched from there. */
  private static final int TRIES = 64;

  /**
   * A bank without a set bit in this many words is nearly empty and can take a key without losing
   * one; searching the whole bank for each record would take far too long.
   */
  private static final int MOST_SEARCHED = 4096;

  private final double threshold;
  private long iter;

  public ReservoirFilter(FilterSpec spec) {
    super(spec);
    this.threshold = spec.get(Parameter.THRESHOLD);
  }

  @Override
  public final void state(StateVisitor visitor) throws IOException {
    iter = visitor.count("iter", iter);
    super.state(visitor);
  }

  @Override
  public final void merge(BatchingFilter other) {
    super.merge(other);
    iter = Counts.sum(iter, ((ReservoirFilter) other).iter);
  }

  @Override
  protected final boolean admitAt(long[] at, int from) {
    boolean duplicate = banks.allSet(at, from);
    long s = banks.bitsPerBank();
    iter++;
    if (iter <= s) {
      banks.setAll(at, from);
    } else if (s <= threshold * iter) {
      if (!duplicate) {
        swapIn(at, from);
      }
    } else if (isSampled(duplicate) && random.chance(s, iter)) {
      banks.setAll(at, from);
      for (int i = 0; i < spec().hashes(); i++) {
        banks.reset(i, random.below(reach));
      }
    }
    return !duplicate;
  }

  /** Returns whether phase 2 draws the chance s/iter for an element with this report. */
  protected boolean isSampled(boolean duplicate) {
    return !duplicate;
  }

  private void swapIn(long[] at, int from) {
    for (int i = 0; i < spec().hashes(); i++) {
      long victim = randomOne(i); // chosen first, so that it is not the bit that is set now
      if (banks.setIn(i, at[from + i]) && victim >= 0) {
        banks.reset(i, victim);
      }
    }
  }

  /** Returns a random set bit of a bank, or -1 if there are none or very few. */
  private long randomOne(int bank) {
    if (banks.ones(bank) == 0) {
      return -1;
    }
    long bit = random.below(reach);
    for (int i = 1; i < TRIES && !banks.isSet(bank, bit); i++) {
      bit = random.below(reach);
    }
    return banks.nextOne(bank, bit, MOST_SEARCHED);
  }
}
