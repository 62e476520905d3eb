package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Memory;
import dev.unseen.filter.FilterKind;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void tells_counts_speed_and_how_the_filter_stands_in_one_line() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    for (long hash = 1; hash <= 100; hash++) {
      gate.admit(hash * 0x9E3779B97F4A7C15L);
    }
    assertThat(new Summary(new Counts(700_000, 300_000, 0, 5), 0.521, gate.report()).toString())
        .matches(
            "1,000,000 records, 700,000 new, 300,000 duplicates in 0\\.52 s \\(1\\.9 M/s\\); "
                + "bloom k=7, 1 KiB, load \\d(\\.\\d)? %, a new record is lost with chance \\de-\\d, "
                + "a duplicate gets through with chance 0");
  }

  @Test
  void knows_the_singular() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.BLOOM).memory(Memory.KiB(1)).build();
    assertThat(new Summary(new Counts(0, 1, 0, 2), 1, gate.report()).toString())
        .startsWith("1 record, 0 new, 1 duplicate ");
  }

  @Test
  void says_of_no_other_kind_how_many_duplicates_get_through() {
    Gate gate = Gate.builder().seed(0).kind(FilterKind.RLBSBF).memory(Memory.KiB(1)).build();
    Summary summary = new Summary(new Counts(3, 2, 1, 99), 0.25, gate.report());
    assertThat(summary.toString())
        .endsWith("a new record is lost with chance 0; 1 without a key")
        .doesNotContain("gets through");
    assertThat(summary.json())
        .startsWith(
            "{\"records\":5,\"fresh\":3,\"duplicates\":2,\"withoutKey\":1,\"bytes\":99,"
                + "\"seconds\":0.250,\"kind\":\"rlbsbf\",\"hashes\":2,\"memoryBytes\":1024,"
                + "\"overheadBytes\":3300,\"load\":0,\"estimatedFpr\":0,\"estimatedFnr\":null,")
        .doesNotContain("audited");
  }
}
