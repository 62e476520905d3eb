package dev.unseen.filter;

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
final class BiasedFilter extends BankedFilter {
  BiasedFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  boolean admitAt(long[] at, int from) {
    if (banks.allSet(at, from)) {
      return false;
    }
    for (int i = 0; i < spec().hashes(); i++) {
      banks.reset(i, random.below(reach));
    }
    banks.setAll(at, from);
    insertions++;
    return true;
  }

  @Override
  long touchResets(int insertion) {
    return touchOneInEachBank(insertion * spec().hashes());
  }
}
