package dev.unseen.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FilterSpecTest {
  private static void rejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void too_little_or_absurd_memory_is_rejected() {
    rejected(
        () -> FilterSpec.of(FilterKind.RLBSBF, 12), "memory (12 bytes) must be 64 bytes to 16 TiB");
    rejected(
        () -> FilterSpec.of(FilterKind.RLBSBF, -1), "memory (-1 bytes) must be 64 bytes to 16 TiB");
    rejected(
        () -> FilterSpec.of(FilterKind.BLOOM, Long.MAX_VALUE),
        "memory (9,223,372,036,854,775,807 bytes) must be 64 bytes to 16 TiB");
  }

  @ParameterizedTest
  @EnumSource
  void hashes_outside_the_limits_are_rejected(FilterKind kind) {
    FilterSpec.Builder spec = FilterSpec.builder(kind, 1024);
    String upTo = kind.maxHashes() == 1 ? "" : " to " + kind.maxHashes();
    String limit = ") must be 1%s for %s".formatted(upTo, kind.id());
    rejected(() -> spec.hashes(0), "hashes (0" + limit);
    rejected(() -> spec.hashes(99), "hashes (99" + limit);
    rejected(() -> FilterSpec.builder(kind, 1024).hashes(99), "hashes (99" + limit);
    assertThat(spec.hashes(1).build().hashes()).isEqualTo(1);
    int most = kind.maxHashes();
    assertThat(spec.hashes(most).build().hashes()).isEqualTo(most);
  }

  @Test
  void rates_outside_0_to_1_are_rejected() {
    for (double rate : new double[] {0, 1, -0.1, 1.5, Double.NaN}) {
      rejected(
          () -> FilterSpec.builder(FilterKind.SBF, 1024).falsePositiveTarget(rate),
          "falsePositiveTarget (%s) must be above 0 and below 1".formatted(rate));
      rejected(
          () -> FilterSpec.builder(FilterKind.RSBF, 1024).set(Parameter.THRESHOLD, rate).build(),
          "threshold (%s) must be above 0 and below 1".formatted(rate));
    }
  }

  @Test
  void options_of_another_kind_are_rejected() {
    rejected(
        () -> FilterSpec.builder(FilterKind.RECENCY, 1024).set(Parameter.SHARE, 0.5).build(),
        "share (0.5) must be left out for recency; it is only for kind sampled");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).set(Parameter.CELL_BITS, 2).build(),
        "cellBits (2) must be left out for bsbf; it is only for kind sbf");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).set(Parameter.DECREMENTS, 2).build(),
        "decrements (2) must be left out for bsbf; it is only for kind sbf");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).set(Parameter.THRESHOLD, 0.5).build(),
        "threshold (0.5) must be left out for bsbf; it is only for kind rsbf");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).set(Parameter.PARTITIONED, false).build(),
        "partitioned (false) must be left out for bsbf; it is only for kind bloom");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).falsePositiveTarget(0.1),
        "falsePositiveTarget (0.1) must be left unset for bsbf; it chooses the P of sbf and the k of rsbf");
    rejected(
        () -> FilterSpec.builder(FilterKind.BSBF, 1024).expectedKeys(10),
        "expectedKeys (10) must be left unset for bsbf; it chooses the k of bloom");
    rejected(
        () -> FilterSpec.builder(FilterKind.BLOOM, 1024).expectedKeys(0),
        "expectedKeys (0) must be at least 1");
  }

  @Test
  void cells_outside_the_limits_are_rejected() {
    for (int bits : new int[] {0, 5}) {
      rejected(
          () -> FilterSpec.builder(FilterKind.SBF, 1024).set(Parameter.CELL_BITS, bits).build(),
          "cellBits (%d) must be 1 to 4".formatted(bits));
    }
    rejected(
        () -> FilterSpec.builder(FilterKind.SBF, 64).set(Parameter.DECREMENTS, 513).build(),
        "decrements (513) must be 1 to 512");
  }

  @Test
  void an_unknown_kind_is_rejected_with_the_known_ones() {
    rejected(
        () -> FilterKind.of("rlbsf"),
        "kind 'rlbsf' is unknown; known: sbf, rsbf, bsbf, bsbfsd, rlbsbf, bloom, recency, sampled");
    assertThatThrownBy(() -> FilterSpec.of(null, 1024))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("kind is null");
  }

  @Test
  void kinds_are_known_by_id_in_any_case_and_by_a_number_of_their_own() {
    for (FilterKind kind : FilterKind.values()) {
      assertThat(FilterKind.of(kind.id())).isEqualTo(kind);
      assertThat(FilterKind.of(kind.name())).isEqualTo(kind);
    }
    assertThat(Arrays.stream(FilterKind.values()).map(FilterKind::wireId))
        .containsExactly(1, 2, 4, 5, 6, 7, 8, 9); // on the wire: never to change
  }

  /** The published formula gives 4.33; the published tables were measured with 4. */
  @Test
  void the_decrements_of_sbf_follow_the_published_formula() {
    FilterSpec spec = FilterSpec.of(FilterKind.SBF, 1 << 20);
    assertThat(spec.hashes()).isEqualTo(2);
    assertThat(spec.get(Parameter.DECREMENTS)).isEqualTo(4);
    assertThat(target(0.01).get(Parameter.DECREMENTS)).isEqualTo(18); // 0.9 / 0.1 * 2
    assertThat(target(1e-4).get(Parameter.DECREMENTS)).isEqualTo(198); // 0.99 / 0.01 * 2
    assertThat(target(0.9).get(Parameter.DECREMENTS)).isEqualTo(1); // at least one
    FilterSpec threeBits =
        FilterSpec.builder(FilterKind.SBF, 1 << 20)
            .set(Parameter.CELL_BITS, 3)
            .falsePositiveTarget(0.01)
            .build();
    // zeros 0.9 = z^7: 1 / ((1 / 0.9^(1/7) - 1) / 2) = 131.9
    assertThat(threeBits.get(Parameter.DECREMENTS)).isEqualTo(132);
  }

  private static FilterSpec target(double rate) {
    return FilterSpec.builder(FilterKind.SBF, 1 << 20).falsePositiveTarget(rate).build();
  }

  @Test
  void the_hashes_of_rsbf_follow_the_papers_rule() {
    assertThat(FilterSpec.of(FilterKind.RSBF, 1024).hashes()).isEqualTo(3); // (1 + 5.02) / 2
    FilterSpec.Builder rsbf = FilterSpec.builder(FilterKind.RSBF, 1024);
    assertThat(rsbf.falsePositiveTarget(0.1).build().hashes()).isEqualTo(3);
    assertThat(rsbf.falsePositiveTarget(0.01).build().hashes())
        .isEqualTo(6); // (1 + 10.04) / 2 = 5.52
  }

  @Test
  void the_hashes_of_bloom_follow_the_expected_keys() {
    assertThat(bloomFor(8192).hashes()).isEqualTo(1); // one bit per key
    assertThat(bloomFor(819).hashes()).isEqualTo(7); // ten
    assertThat(bloomFor(1).hashes()).isEqualTo(32); // as many as there may be
  }

  private static FilterSpec bloomFor(long keys) {
    return FilterSpec.builder(FilterKind.BLOOM, 1024).expectedKeys(keys).build();
  }

  @Test
  void describes_itself_in_words() {
    assertThat(FilterSpec.of(FilterKind.RLBSBF, 64 << 20).describe())
        .isEqualTo("rlbsbf k=2, 64 MiB");
    assertThat(FilterSpec.of(FilterKind.SBF, 1536).describe()).isEqualTo("sbf k=2, 1.5 KiB");
  }
}
