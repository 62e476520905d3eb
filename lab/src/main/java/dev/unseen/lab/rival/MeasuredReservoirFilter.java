package dev.unseen.lab.rival;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.BankedFilter;

/**
 * RSBF as the published tables were measured, which is not as the paper prints it. It is for trials
 * only: its state is not saved.
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
 * As printed (kind RSBF), the published 1B/60 %/512 MB would never leave phase 1 and have no false
 * negatives; 20.28 % are published, and this rule gives 20.31 %. It fits every RSBF cell of every
 * table.
 */
public final class MeasuredReservoirFilter extends BankedFilter implements Contestant {
  private long iter;

  /** Creates an empty filter. Of the spec, which is of kind RSBF, it ignores the threshold. */
  public MeasuredReservoirFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  public boolean admit(long hash) {
    return admit(hash, NOW);
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
