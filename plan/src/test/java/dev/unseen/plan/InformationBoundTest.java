package dev.unseen.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A filter that seems to beat the information bound is measured wrongly. Taken at one moment, over
 * all keys seen. The measured FPR is raised by 5 %: from 200,000 probes, at the rates here, it is
 * lower than the truth by more than that with odds below 1e-6.
 */
final class InformationBoundTest {
  private static final int PROBES = 200_000;

  @ParameterizedTest
  @EnumSource
  void no_kind_beats_it(FilterKind kind) {
    for (int bitsPerKey : new int[] {1, 2, 4, 8}) {
      int keys = 100_000;
      FilterSpec spec = FilterSpec.builder(kind, keys * bitsPerKey / 8).seed(bitsPerKey).build();
      DuplicateFilter filter = Filters.create(spec);
      Hash64 hash = HashKind.XXH3.create(5);
      // Each key once, and half as many repeats among them.
      SplitMix64 random = new SplitMix64(6);
      for (int i = 0; i < keys; i++) {
        filter.admit(hash.hash(i));
        if (i % 2 == 0) {
          filter.admit(hash.hash(random.below(i + 1L)));
        }
      }
      int missed = 0;
      for (int i = 0; i < keys; i++) {
        missed += filter.mightContain(hash.hash(i)) ? 0 : 1;
      }
      int mistaken = 0;
      for (int i = 0; i < PROBES; i++) {
        mistaken += filter.mightContain(hash.hash((long) keys + i)) ? 1 : 0;
      }
      double e = Math.min(1, 1.05 * mistaken / PROBES);
      double d = (double) missed / keys;
      assertThat(InformationBound.bitsPerKey(e, d))
          .as("bits per key that FPR %.4f and FNR %.4f need, of %d given", e, d, bitsPerKey)
          .isLessThan(bitsPerKey);
    }
  }
}
