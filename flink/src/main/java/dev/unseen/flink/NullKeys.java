package dev.unseen.flink;

/** What to do with a record whose key is null. */
public enum NullKeys {
  /** The job fails, with a message that says so. */
  FAIL,
  /** The record is always let through, because it is not a duplicate of any record. */
  ADMIT,
  /**
   * The record is dropped like a duplicate, and goes to the output for duplicates if there is one.
   */
  DROP
}
