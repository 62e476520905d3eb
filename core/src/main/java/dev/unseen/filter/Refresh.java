package dev.unseen.filter;

/** What a duplicate does to the place of its key among those to be forgotten. */
public enum Refresh {
  /**
   * As the stream has it: keys that were repeated have a share of the room of their own, which
   * grows and shrinks with the use that is made of it. With a window, as {@link #ALWAYS}.
   */
  ADAPTIVE,

  /** A duplicate makes its key the newest: what goes is the one not seen for longest. */
  ALWAYS,

  /** A duplicate changes nothing: what goes is the one let through first. */
  NEVER
}
