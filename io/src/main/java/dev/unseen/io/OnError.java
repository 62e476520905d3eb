package dev.unseen.io;

/** What becomes of a record that cannot be used. */
public enum OnError {
  /** It ends the run. */
  FAIL,
  /** It is let through without asking the filter. */
  PASS,
  /** It is left out. */
  SKIP
}
