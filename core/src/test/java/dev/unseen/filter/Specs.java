package dev.unseen.filter;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.testing.Generator;
import java.util.List;

/** Specs and hashes for the properties of all filters. */
public final class Specs {
  private Specs() {}

  /** Any buildable spec of small memory, with every option in use somewhere. */
  @SuppressWarnings("exports") // tests are not part of the module
  public static Generator<FilterSpec> any() {
    return choices -> {
      FilterKind kind = choices.draw(oneOf(FilterKind.values()));
      long memory = choices.draw(longs(64, 5000));
      int hashes = choices.draw(ints(1, 16));
      long seed = choices.draw(longs());
      int cellBits = choices.draw(ints(1, 4));
      boolean partitioned = choices.draw(booleans());
      int any = choices.draw(ints(0, 999));
      FilterSpec.Builder spec = FilterSpec.builder(kind, memory).seed(seed);
      spec.hashes(Math.min(hashes, kind.maxHashes()));
      if (kind == FilterKind.SBF) {
        spec.set(Parameter.CELL_BITS, cellBits);
      } else if (kind == FilterKind.RSBF) {
        spec.set(Parameter.THRESHOLD, 0.3); // so that phase 3 is reached soon
      } else if (kind == FilterKind.BLOOM) {
        spec.set(Parameter.PARTITIONED, partitioned);
      } else if (kind == FilterKind.RECENCY) {
        spec.maxFpr(Math.pow(10, -2 - any % 8))
            .window(partitioned ? Window.NONE : Window.records(8 + any))
            .refresh(List.of(Refresh.values()).get(any % 3));
      } else if (kind == FilterKind.SAMPLED) {
        spec.set(Parameter.SHARE, (any + 1) / 1000.0);
      }
      return spec.build();
    };
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
