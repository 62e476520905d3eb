package dev.unseen.filter.engine;

import dev.unseen.bits.BitBanks;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * BLOOM, the plain Bloom filter that never forgets (Bloom 1970): the honest baseline.
 *
 * <pre>
 * for each element e:
 *   H = the k positions of e
 *   if all bits in H are set: e is a DUPLICATE
 *   else e is DISTINCT: set all bits in H
 * </pre>
 *
 * It has no false negatives, ever. Its false positives grow with the distinct keys, to 1 in the
 * end; {@link #estimatedFpr} returns the present rate. If partitioned, each hash has its own M/k
 * bits; if not, all share M bits, which gives slightly fewer false positives on small filters.
 */
final class BloomFilter extends FirstOnlyFilter {
  BloomFilter(FilterSpec spec) {
    super(
        spec,
        spec.get(Parameter.PARTITIONED)
            ? BitBanks.partitioned(spec.hashes(), spec.bits())
            : BitBanks.shared(spec.hashes(), spec.bits()));
  }

  @Override
  public OptionalLong evicted() {
    return OptionalLong.of(0);
  }

  @Override
  public OptionalDouble estimatedFnr() {
    return OptionalDouble.of(0);
  }

  @Override
  void insert(long[] at, int from) {
    banks.setAll(at, from);
  }
}
