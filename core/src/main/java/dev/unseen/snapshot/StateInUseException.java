package dev.unseen.snapshot;

/** Thrown if a state file is locked by another process, or elsewhere in this one. */
public final class StateInUseException extends SnapshotException {
  private static final long serialVersionUID = 1L;

  StateInUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
