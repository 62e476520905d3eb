package dev.unseen;

/** What becomes of a record whose key is null, in a stream that an engine such as Flink runs. */
public enum NullKeys {
  /** The run fails, with a message that says so. */
  FAIL,
  /** It is let through, always: it is nobody's duplicate. */
  ADMIT,
  /** It is dropped, and goes where duplicates go. */
  DROP
}
