package dev.unseen.snapshot;

import dev.unseen.text.Print;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a saved state cannot be used. The message names the place of the damage and what to do.
 */
public sealed class SnapshotException extends IOException {
  private static final long serialVersionUID = 1L;

  SnapshotException(String message) {
    this(message, null);
  }

  SnapshotException(String message, @Nullable Throwable cause) {
    super(Print.plain(message), cause); // some of it may come from the state
  }

  /** Thrown if a state file is locked by another process, or elsewhere in this one. */
  public static final class InUse extends SnapshotException {
    private static final long serialVersionUID = 1L;

    InUse(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
