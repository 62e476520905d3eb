package dev.unseen.flink;

/** What becomes of a record whose key is null. */
public enum NullKeys {
  /** The job fails, with a message that says so. */
  FAIL,
  /** It is let through, always: it is nobody's duplicate. */
  ADMIT,
  /** It is dropped, and goes to the side output of duplicates. */
  DROP
}
