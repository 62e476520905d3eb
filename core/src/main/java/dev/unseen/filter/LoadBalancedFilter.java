package dev.unseen.filter;

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
final class LoadBalancedFilter extends BankedFilter {
  LoadBalancedFilter(FilterSpec spec) {
    super(spec);
  }

  @Override
  boolean admitAt(long[] at, int from) {
    if (banks.allSet(at, from)) {
      return false;
    }
    for (int i = 0; i < spec().hashes(); i++) {
      long bit = random.below(reach);
      if (random.chance(banks.ones(i), banks.bitsPerBank())) {
        banks.reset(i, bit);
      }
    }
    banks.setAll(at, from);
    insertions++;
    return true;
  }

  @Override
  long touchResets(int insertion) {
    int k = spec().hashes();
    long sum = 0;
    for (int i = 0; i < k; i++) {
      int draw = 2 * (insertion * k + i);
      if (random.belowAhead(draw + 1, banks.bitsPerBank()) < banks.ones(i)) {
        sum += banks.touch(i, random.belowAhead(draw, reach));
      }
    }
    return sum;
  }
}
