package dev.unseen.filter;

/** What a duplicate does to the place of its key in the order in which keys are forgotten. */
public enum Refresh {
  /**
   * Adapts to the stream: keys that were repeated get a share of the room for themselves, which
   * grows and shrinks with its use. With a window this is the same as {@link #ALWAYS}.
   */
  ADAPTIVE(1),

  /**
   * A duplicate makes its key the newest; the key not seen for the longest time is forgotten first.
   */
  ALWAYS(2),

  /** A duplicate changes nothing. The key that was let through first is forgotten first. */
  NEVER(3);

  private final int wireId;

  Refresh(int wireId) {
    this.wireId = wireId;
  }

  int wireId() {
    return wireId;
  }

  static Refresh ofWireId(int wireId) {
    for (Refresh refresh : values()) {
      if (refresh.wireId == wireId) {
        return refresh;
      }
    }
    throw new IllegalArgumentException("refresh (%d) must be 1 to 3".formatted(wireId));
  }
}
