package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;

/**
 * RLBSBF, randomized load balanced biased sampling based Bloom filter (Bera et al. 2012, section 5,
 * algorithm 4).
 *
 * <pre>
 * for each element e:
 *   H = the k positions of e, one in each Bloom filter of s = M/k bits
 *   if all bits in H are set: e is a DUPLICATE
 *   else e is DISTINCT:
 *     for each Bloom filter i:
 *       select a random bit; reset it with probability L(i)/s, L(i) being the ones of filter i
 *     set all bits in H
 * </pre>
 *
 * The printed algorithm has the two labels exchanged; the text of the paper has them as here. L(i)
 * is kept as bits change, at no cost that could be measured.
 */
final class LoadBalancedFilter extends FirstOnlyFilter {
  LoadBalancedFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  void insert(long[] at, int from) {
    int last = spec().hashes() - 1;
    resetIn(0);
    for (int i = 1; i < last; i++) { // none if k = 2; see BitBanks
      resetIn(i);
    }
    if (last > 0) {
      resetIn(last);
    }
    banks.setAll(at, from);
    insertions++;
  }

  private void resetIn(int bank) {
    long bit = random.below(reach);
    if (random.chance(banks.ones(bank), banks.bitsPerBank())) {
      banks.reset(bank, bit);
    }
  }

  @Override
  protected int locateResetsOf(int insertion, long[] at, int from) {
    int k = spec().hashes();
    int end = from;
    for (int i = 0; i < k; i++) {
      int draw = 2 * (insertion * k + i);
      at[end] = banks.positionIn(i, random.belowAhead(draw, reach));
      // Kept if it will be reset. There is no branch, because no processor could predict it.
      end += (int) ((random.belowAhead(draw + 1, banks.bitsPerBank()) - banks.ones(i)) >>> 63);
    }
    return end;
  }
}
