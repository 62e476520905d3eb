package dev.unseen.server.access;

import java.util.Locale;

/** What a user may do. Each right includes those before it. */
public enum Rights {
  /** What needs no password: to give one, and to leave. */
  NONE,
  /** To ask. */
  READ,
  /** To change filters. */
  WRITE,
  /** To delete everything, to save, and to stop the server. */
  ADMIN;

  /** Returns whether these rights include others. */
  public boolean include(Rights needed) {
    return compareTo(needed) >= 0;
  }

  /** Returns the rights of this name: read, write or admin. */
  static Rights of(String name) {
    for (Rights rights : values()) {
      if (rights != NONE && rights.name().toLowerCase(Locale.ROOT).equals(name)) {
        return rights;
      }
    }
    throw new IllegalArgumentException("rights '%s' must be read, write or admin".formatted(name));
  }
}
