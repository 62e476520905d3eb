package dev.unseen.filter;

import dev.unseen.bits.SplitMix64;
import dev.unseen.hash.Mix;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Specs and hashes for the properties of all filters. */
public final class Specs {
  private Specs() {}

  /** Any buildable spec of small memory, with every option in use somewhere. */
  @SuppressWarnings("exports") // tests are not part of the module
  public static Arbitrary<FilterSpec> any() {
    return Combinators.combine(
            Arbitraries.of(FilterKind.class),
            Arbitraries.longs().between(64, 5000),
            Arbitraries.integers().between(1, 16),
            Arbitraries.longs(),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(true, false),
            Arbitraries.of(0.5, 1.0),
            Arbitraries.integers().between(0, 999))
        .as(
            (kind, memory, k, seed, cellBits, partitioned, reach, any) -> {
              FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(seed);
              spec.hashes(Math.min(k, kind.maxHashes())).resetReach(reach);
              if (kind == FilterKind.SBF) {
                spec.cellBits(cellBits);
              } else if (kind == FilterKind.RSBF) {
                spec.threshold(0.3); // so that phase 3 is reached soon
              } else if (kind == FilterKind.BLOOM) {
                spec.partitioned(partitioned);
              } else if (kind == FilterKind.RECENCY) {
                spec.maxFpr(Math.pow(10, -2 - any % 8))
                    .window(partitioned ? Window.NONE : Window.records(8 + any))
                    .refresh(List.of(Refresh.values()).get(any % 3));
              } else if (kind == FilterKind.SAMPLED) {
                spec.share((any + 1) / 1000.0);
              }
              return spec.build();
            });
  }

  /** Hashes with many repeats, more than the small filters can hold. */
  public static long[] hashes(int count, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      boolean repeat = i > 0 && random.chance(1, 2);
      hashes[i] = repeat ? hashes[(int) random.below(i)] : random.next();
    }
    return hashes;
  }

  /**
   * Hashes of which a third are of some popular keys and the others new: RECENCY sorts its lines.
   */
  public static long[] popular(int count, int popular, long seed) {
    SplitMix64 random = new SplitMix64(seed);
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = random.chance(1, 3) ? Mix.mix(random.below(popular)) : random.next();
    }
    return hashes;
  }
}
