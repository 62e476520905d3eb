package dev.unseen.filter.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.DuplicateFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SampledFilterTest {
  /**
   * 100,000 keys, each twice; the share scatters by 0.16 % at most: six standard errors allowed.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.1, 0.5, 0.9, 1})
  void finds_the_duplicates_of_the_share_and_no_others(double share) {
    DuplicateFilter filter =
        Filters.create(
            FilterSpec.builder(FilterKind.SAMPLED, 1 << 20)
                .set(Parameter.SHARE, share)
                .hashes(5)
                .build());
    SplitMix64 first = new SplitMix64(1);
    SplitMix64 again = new SplitMix64(1);
    int keys = 100_000;
    int found = 0;
    for (int i = 0; i < keys; i++) {
      filter.admit(first.next());
    }
    for (int i = 0; i < keys; i++) {
      found += filter.admit(again.next()) ? 0 : 1;
    }
    assertThat((double) found / keys).isCloseTo(share, within(0.0096));
    assertThat(found == keys).isEqualTo(share == 1);
  }
}
