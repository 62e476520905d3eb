package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;

/**
 * BSBF, biased sampling based Bloom filter (Bera et al. 2012, section 4, algorithm 2).
 *
 * <pre>
 * for each element e:
 *   H = the k positions of e, one in each Bloom filter of M/k bits
 *   if all bits in H are set: e is a DUPLICATE
 *   else e is DISTINCT:
 *     reset k random bits, one in each Bloom filter
 *     set all bits in H
 * </pre>
 *
 * The printed algorithm has the two labels exchanged; the text of the paper has them as here.
 */
final class BiasedFilter extends FirstOnlyFilter {
  BiasedFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  void insert(long[] at, int from) {
    for (int i = 0; i < spec().hashes(); i++) {
      banks.reset(i, random.below(reach));
    }
    banks.setAll(at, from);
    insertions++;
  }

  @Override
  protected int locateResetsOf(int insertion, long[] at, int from) {
    return locateOneInEachBank(insertion * spec().hashes(), at, from);
  }
}
