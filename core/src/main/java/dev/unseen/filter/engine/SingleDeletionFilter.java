package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;

/**
 * BSBFSD, biased sampling based Bloom filter with single deletion (Bera et al. 2012, section 4.2,
 * algorithm 3).
 *
 * <pre>
 * for each element e:
 *   H = the k positions of e, one in each Bloom filter of M/k bits
 *   if all bits in H are set: e is a DUPLICATE
 *   else e is DISTINCT:
 *     reset one random bit of one random Bloom filter
 *     set all bits in H
 * </pre>
 *
 * The printed algorithm has the two labels exchanged; the text of the paper has them as here.
 */
final class SingleDeletionFilter extends FirstOnlyFilter {
  SingleDeletionFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  void insert(long[] at, int from) {
    int bank = (int) random.below(spec().hashes());
    banks.reset(bank, random.below(reach));
    banks.setAll(at, from);
    insertions++;
  }

  @Override
  protected int locateResetsOf(int insertion, long[] at, int from) {
    int bank = (int) random.belowAhead(2 * insertion, spec().hashes());
    at[from] = banks.positionIn(bank, random.belowAhead(2 * insertion + 1, reach));
    return from + 1;
  }
}
