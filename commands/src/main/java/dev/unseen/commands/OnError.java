package dev.unseen.commands;

/** What happens to a record that cannot be used. */
public enum OnError {
  /** The run ends with an error. */
  FAIL,
  /** The record is let through, and the filter does not see it. */
  PASS,
  /** The record is left out. */
  SKIP
}
