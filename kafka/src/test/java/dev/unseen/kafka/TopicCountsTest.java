package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TopicCountsTest {
  private final TopicCounts counts = new TopicCounts();

  @Test
  void one_is_not_many() {
    assertThat(counts).hasToString("0 records, 0 delivered once, 0 duplicates");
    counts.duplicates.increment();
    assertThat(counts).hasToString("1 record, 0 delivered once, 1 duplicate");
    counts.once.add(1000);
    counts.rejected.add(2);
    counts.tombstones.increment();
    assertThat(counts)
        .hasToString(
            "1,004 records, 1,000 delivered once, 1 duplicate, 2 without a key, 1 tombstone");
    counts.duplicates.increment();
    counts.tombstones.increment();
    assertThat(counts)
        .hasToString(
            "1,006 records, 1,000 delivered once, 2 duplicates, 2 without a key, 2 tombstones");
  }
}
