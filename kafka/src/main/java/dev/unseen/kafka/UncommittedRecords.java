package dev.unseen.kafka;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The records whose keys are in the changelog, while it is unknown whether their offsets were
 * committed. Without transactions, a crash can lose the output of such a record. It is then
 * processed again, and must not be mistaken for a duplicate of itself.
 */
final class UncommittedRecords {
  private final List<LoggedRecord> added = new ArrayList<>(); // most go before they are looked for
  private final Set<LoggedRecord> records = new HashSet<>();

  boolean isEmpty() {
    return added.isEmpty() && records.isEmpty();
  }

  /** Adds a record of the changelog. */
  void add(LoggedRecord record) {
    added.add(record);
  }

  /** Removes the records below these offsets, by source. */
  void removeBelow(Map<Integer, Long> offsets) {
    Predicate<LoggedRecord> isBelow =
        record -> {
          Long committed = offsets.get(record.source());
          return committed != null && record.offset() < committed;
        };
    added.removeIf(isBelow);
    records.removeIf(isBelow);
  }

  /** Returns whether this record is processed again, and removes it: it passes once more. */
  boolean remove(LoggedRecord record) {
    if (!added.isEmpty()) {
      records.addAll(added);
      added.clear();
    }
    return !records.isEmpty() && records.remove(record);
  }
}
