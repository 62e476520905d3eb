package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Memory;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.FilterKind;
import dev.unseen.hash.Mix;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void tells_counts_speed_and_how_the_filter_stands_in_two_lines() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    for (long hash = 1; hash <= 100; hash++) {
      gate.admit(hash * 0x9E3779B97F4A7C15L);
    }
    assertThat(text(new RunCounts(700_000, 300_000, 0, 0, 0, 0, 0, 5), gate))
        .matches(
            "unseen: 1,000,000 records, 700,000 new, 300,000 duplicates in 0\\.52 s \\(1\\.9 M/s\\)\n"
                + "unseen: bloom k=7, 1 KiB, \\d(\\.\\d)? % full; drops \\de-\\d % of new, passes 0 % of duplicates");
  }

  @Test
  void knows_the_singular() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    assertThat(text(new RunCounts(0, 1, 0, 0, 0, 0, 0, 2), gate))
        .startsWith("unseen: 1 record, 0 new, 1 duplicate ");
  }

  @Test
  void tells_what_is_out_of_the_ordinary() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.RLBSBF).memory(Memory.KiB(1)).build();
    assertThat(text(new RunCounts(3, 2, 1, 4, 5, 1234, 2, 99), gate))
        .endsWith(
            "1 record passed unchecked; 4 records skipped (5 lines, 1,234 bytes)"
                + "\nunseen: 2 records with a null key");
  }

  /** Nothing is null: without an audit an interval says how little is known. */
  @Test
  void estimates_what_no_filter_can_tell_alone() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.RLBSBF).memory(Memory.KiB(1)).build();
    gate.admit(1);
    gate.admit(2);
    gate.admit(1);
    Summary summary =
        new Summary(new RunCounts(2, 1, 0, 4, 5, 6, 7, 99), 0.25, gate.report(), false);
    assertThat(summary.json())
        .startsWith(
            "{\"records\":3,\"fresh\":2,\"duplicates\":1,\"withoutKey\":4,\"nullKeys\":7,\"skipped\":4,\"skippedLines\":5,\"skippedBytes\":6,\"bytes\":99,"
                + "\"seconds\":0.250,\"kind\":\"rlbsbf\",\"hashes\":2,\"memoryBytes\":1024,")
        .contains("\"estimatedFnr\":0,\"estimatedFnrLow\":0,\"estimatedFnrHigh\":0.66")
        .contains("\"forgotten\":0,")
        .doesNotContain("audited")
        .doesNotContain(":null");
  }

  @Test
  void tells_what_was_forgotten_what_came_of_it_and_which_memory_would_do() {
    Gate gate = gate(1 << 16);
    RunCounts counts = fill(gate, 300_000, 100_000);
    assertThat(text(counts, gate))
        .contains("forgot keys ")
        .containsPattern("about (29|30|31)\\d,000 distinct keys came")
        .containsPattern(
            "about (9\\d|10\\d|11\\d),000 duplicates passed as new \\([0-9,]+ to [0-9,]+\\)")
        .containsPattern("-m (1536|1792)K would hold all keys")
        .contains("--kind bloom would let no duplicate through, but drop ");
    Gate larger = gate(7 << 18);
    fill(larger, 300_000, 100_000);
    assertThat(larger.report().forgotten()).isLessThan(300);
  }

  /** 0 % would be a promise: keys were forgotten, and few are followed. */
  @Test
  void tells_the_most_that_may_have_passed_if_keys_were_forgotten_and_no_error_was_seen() {
    Gate gate = Gate.builder().seed(1).memory(1 << 20).audit(AuditSpec.oneIn(1 << 16)).build();
    RunCounts counts = fill(gate, 210_000, 210_000);
    assertThat(gate.report().forgotten()).isBetween(1L, 1000L);
    assertThat(gate.report().estimatedFnr().errors()).isZero();
    assertThat(text(counts, gate)).containsPattern("passes at most [0-9.]+ % of duplicates");
    Gate full = gate(1 << 16);
    assertThat(text(fill(full, 300_000, 0), full))
        .contains("passes an unknown share of duplicates");
  }

  /** Too few keys are followed to count them, and no filter of ours can lose as many. */
  @Test
  void tells_of_the_smallest_filters_too() {
    for (int keys = 1; keys < 200; keys++) {
      Gate gate =
          Gate.builder()
              .kind(keys % 2 == 0 ? FilterKind.RECENCY : FilterKind.RLBSBF)
              .memory(64)
              .maxFalsePositiveRate(keys % 2 == 0 ? 1e-2 : 0.5)
              .audit(AuditSpec.oneIn(16).memory(4096))
              .build();
      assertThat(text(fill(gate, keys, keys), gate)).doesNotContain("null");
    }
  }

  /** However many records, the lines do not wrap. */
  @Test
  void keeps_lines_within_a_hundred_columns() {
    Gate gate = gate(1 << 14);
    fill(gate, 100_000, 50_000);
    RunCounts many =
        new RunCounts(
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            9_999_999_999L,
            1);
    assertThat(new Summary(many, 99_999.99, gate.report(), true).toString().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
  }

  private static Gate gate(int bytes) {
    return Gate.builder().memory(bytes).audit(AuditSpec.oneIn(16).memory(64 << 10)).build();
  }

  /** Takes in keys, and then some of them again. */
  private static RunCounts fill(Gate gate, int keys, int again) {
    for (long i = 0; i < keys + again; i++) {
      gate.admit(Mix.mix(i % keys + 1));
    }
    return new RunCounts(gate.admitted(), gate.records() - gate.admitted(), 0, 0, 0, 0, 0, 0);
  }

  private static String text(RunCounts counts, Gate gate) {
    return new Summary(counts, 0.521, gate.report(), false).toString();
  }
}
