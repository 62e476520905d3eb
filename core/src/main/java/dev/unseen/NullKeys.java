package dev.unseen;

/** What to do with a record whose key is null, in Flink and Kafka Streams. */
public enum NullKeys {
  /** The run fails, with a message that says so. */
  FAIL,
  /** It is always let through, because it is not a duplicate of any record. */
  ADMIT,
  /** It is dropped like a duplicate, and goes to the output for duplicates if there is one. */
  DROP
}
