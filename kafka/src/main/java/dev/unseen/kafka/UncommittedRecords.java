package dev.unseen.kafka;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The records whose keys are in the changelog, while it is unknown whether their offsets were
 * committed. Without transactions, a crash can lose the output of such a record. It is then
 * processed again, and must not be mistaken for a duplicate of itself.
 */
final class UncommittedRecords {
  private final Set<LoggedRecord> records = new HashSet<>();

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** Adds a record of the changelog. */
  void add(LoggedRecord record) {
    records.add(record);
  }

  /** Removes the records below these offsets, by source. */
  void removeBelow(Map<Integer, Long> offsets) {
    if (!records.isEmpty()) {
      records.removeIf(
          record -> {
            Long committed = offsets.get(record.source());
            return committed != null && record.offset() < committed;
          });
    }
  }

  /** Returns whether this record is processed again, and removes it: it passes once more. */
  boolean remove(LoggedRecord record) {
    return !records.isEmpty() && records.remove(record);
  }
}
