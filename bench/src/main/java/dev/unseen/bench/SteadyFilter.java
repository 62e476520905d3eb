package dev.unseen.bench;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.state.Stateful;
import java.util.Locale;

/**
 * Brings a large filter to the load at which it settles without running a long stream: RLBSBF of
 * 512 MiB would take minutes. A small filter of the same spec runs over the same stream, scaled
 * down, until it is steady. Then its words are copied into the large one, over and over, and its
 * counters are scaled. Hashes are uniform, so all parts of a large filter are alike.
 *
 * <p>It fails if the copy does not have the load of the original.
 */
final class SteadyFilter {
  private static final long SMALL_BYTES = 1 << 17;
  private static final int BATCH = 1024;

  private SteadyFilter() {}

  /** Returns a filter at its steady load, or an empty one, as the scenario requires. */
  static DuplicateFilter of(FilterSpec spec, Scenario scenario) {
    DuplicateFilter large = Filters.create(spec);
    if (!scenario.steady()) {
      return large;
    }
    if (spec.memoryBytes() <= SMALL_BYTES) {
      settle(large, scenario.duplicates(), scenario.reach());
      return large;
    }
    DuplicateFilter small = Filters.create(OurFilter.spec(spec.kind(), SMALL_BYTES));
    double scale = (double) large.memoryBytes() / small.memoryBytes();
    settle(small, scenario.duplicates(), Math.max(16, (int) (scenario.reach() / scale)));
    EnlargedState.copy((Stateful) small, (Stateful) large, scale);
    if (Math.abs(large.load() - small.load()) > 0.01 * small.load()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "A large filter of the kind %s has a load of %f, and the small one %f",
              spec.kind(),
              large.load(),
              small.load()));
    }
    return large;
  }

  /**
   * Runs eight records for each bit. The load of RLBSBF is then 0.754, where it stays; it was 0.742
   * after four. RSBF and BSBFSD fill for much longer. A Bloom filter never settles; it is filled to
   * half, as it is made for.
   */
  private static void settle(DuplicateFilter filter, double duplicates, int reach) {
    KeyStream stream = new KeyStream(2, Math.min(duplicates, 0.9), reach);
    boolean fills =
        filter.spec().kind() == FilterKind.BLOOM || filter.spec().kind() == FilterKind.SAMPLED;
    Hash64 hash = HashKind.XXH3.create(1);
    long[] keys = new long[BATCH];
    long[] fresh = new long[BATCH / Long.SIZE];
    long records = filter.memoryBytes() * Byte.SIZE * 8;
    for (long i = 0; i < records && !(fills && filter.load() >= 0.5); i += BATCH) {
      stream.next(keys);
      for (int j = 0; j < BATCH; j++) {
        keys[j] = hash.hash(keys[j]);
      }
      filter.admitAll(keys, 0, BATCH, fresh);
    }
  }
}
