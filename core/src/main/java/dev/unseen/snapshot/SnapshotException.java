package dev.unseen.snapshot;

import java.io.IOException;

/** A saved state that cannot be used, with the place of the damage and the way out in its words. */
public final class SnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  SnapshotException(String message) {
    super(message);
  }

  SnapshotException(String message, Throwable cause) {
    super(message, cause);
  }
}
