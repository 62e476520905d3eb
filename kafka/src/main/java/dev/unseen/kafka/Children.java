package dev.unseen.kafka;

import dev.unseen.kafka.GateStore.Verdict;

/**
 * Where the processor sends records.
 *
 * @param once the child that gets first records; null: all children
 * @param duplicates the child that gets duplicates; null: none
 * @param late the child that gets records that cannot be checked and are dropped; null: none
 */
record Children(String once, String duplicates, String late) {
  static final Children ALL = new Children(null, null, null);

  /** Returns whether such a record goes to all children. */
  boolean isForAll(Verdict verdict) {
    return verdict == Verdict.FIRST && once == null;
  }

  /** Returns the child that gets such a record; null if it goes to all, or to none. */
  String of(Verdict verdict) {
    return switch (verdict) {
      case FIRST -> once;
      case DUPLICATE -> duplicates;
      case LATE -> late;
    };
  }
}
