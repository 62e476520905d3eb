package dev.unseen.snapshot;

import dev.unseen.text.Print;
import java.io.IOException;

/** A saved state that cannot be used, with the place of the damage and the way out in its words. */
public final class SnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  SnapshotException(String message) {
    this(message, null);
  }

  SnapshotException(String message, Throwable cause) {
    super(Print.plain(message), cause); // some of it may have come from the state
  }
}
