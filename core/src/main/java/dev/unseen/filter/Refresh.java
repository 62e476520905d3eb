package dev.unseen.filter;

/** What a duplicate does to the place of its key among those to be forgotten. */
public enum Refresh {
  /**
   * As the stream has it: keys that were repeated have a share of the room of their own, which
   * grows and shrinks with the use that is made of it. With a window, as {@link #ALWAYS}.
   */
  ADAPTIVE(1),

  /** A duplicate makes its key the newest: what goes is the one not seen for longest. */
  ALWAYS(2),

  /** A duplicate changes nothing: what goes is the one let through first. */
  NEVER(3);

  private final int wireId;

  Refresh(int wireId) {
    this.wireId = wireId;
  }

  /** The number that stands for it in files. */
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

  /**
   * The one with this name, in any case.
   *
   * @throws IllegalArgumentException with the known names, if there is none
   */
  public static Refresh of(String name) {
    for (Refresh refresh : values()) {
      if (refresh.name().equalsIgnoreCase(name)) {
        return refresh;
      }
    }
    throw new IllegalArgumentException(
        "refresh '%s' is unknown; known: adaptive, always, never".formatted(name));
  }
}
