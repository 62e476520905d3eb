package dev.unseen.server.access;

import java.util.Locale;

/** The rights of a user. Each includes those before it. */
public enum Rights {
  /** Commands that need no password, such as AUTH and QUIT. */
  NONE,
  READ,
  WRITE,
  /** Deleting everything, saving, and shutting down. */
  ADMIN;

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
