package dev.unseen.kafka;

import dev.unseen.text.Print;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what became of the records of a run. After a failure some records are processed again, and
 * counted again.
 */
final class TopicCounts {
  final LongAdder once = new LongAdder();
  final LongAdder duplicates = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder tombstones = new LongAdder();
  final LongAdder late = new LongAdder();

  /** Returns the counts, whose sum is the number of records, also while records are counted. */
  @Override
  public String toString() {
    long first = once.sum();
    long again = duplicates.sum();
    long without = rejected.sum();
    long empty = tombstones.sum();
    long dropped = late.sum();
    StringBuilder text = new StringBuilder();
    text.append(Print.things(first + again + without + empty + dropped, "record"))
        .append(String.format(Locale.ROOT, ", %,d delivered once, ", first))
        .append(Print.things(again, "duplicate"));
    if (without > 0) {
      text.append(String.format(Locale.ROOT, ", %,d without a key", without));
    }
    if (empty > 0) {
      text.append(", ").append(Print.things(empty, "tombstone"));
    }
    if (dropped > 0) {
      text.append(String.format(Locale.ROOT, ", %,d too late to check", dropped));
    }
    return text.toString();
  }
}
