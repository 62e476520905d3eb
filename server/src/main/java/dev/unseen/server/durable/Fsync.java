package dev.unseen.server.durable;

import java.util.Locale;

/**
 * When the journal is forced to the disk. Unless the disk is full, it is written before a reply is
 * sent.
 */
public enum Fsync {
  /** Before each reply: nothing that was acknowledged is lost, not even when the power fails. */
  ALWAYS,
  /** Every second: a power failure loses about the last second, a killed process nothing. */
  EVERYSEC,
  /** Left to the system: a power failure loses more, a killed process nothing. */
  NEVER;

  /** Returns the name that users know. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Fsync of(String id) {
    for (Fsync value : values()) {
      if (value.id().equals(id)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "fsync '%s' must be always, everysec or never".formatted(id));
  }
}
