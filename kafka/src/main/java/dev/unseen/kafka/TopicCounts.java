package dev.unseen.kafka;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what became of the records of a run. After a failure some records are processed again, and
 * counted again.
 */
final class TopicCounts {
  final LongAdder records = new LongAdder();
  final LongAdder once = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder tombstones = new LongAdder();

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d records, %,d delivered once, %,d duplicates",
            records.sum(),
            once.sum(),
            duplicates.sum()));
    if (rejected.sum() > 0) {
      text.append(String.format(Locale.ROOT, ", %,d without a key", rejected.sum()));
    }
    if (tombstones.sum() > 0) {
      text.append(String.format(Locale.ROOT, ", %,d tombstones", tombstones.sum()));
    }
    return text.toString();
  }
}
