package dev.unseen.kafka;

/**
 * The names of the processors that get the records.
 *
 * @param once gets the first record of each key; null: all children do
 * @param duplicates gets the others; null: they are dropped
 * @param late gets the records that could not be checked and are not let through; null: they are
 *     dropped
 */
record Children(String once, String duplicates, String late) {
  /** All children get the first record of each key, and duplicates are dropped. */
  static final Children ALL = new Children(null, null, null);
}
