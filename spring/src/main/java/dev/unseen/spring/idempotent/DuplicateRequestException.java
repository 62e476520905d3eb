package dev.unseen.spring.idempotent;

/** Thrown in place of a call whose key is being processed, or was processed before. */
public final class DuplicateRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean inFlight;

  DuplicateRequestException(boolean inFlight) {
    super(
        inFlight
            ? "a request with this key is being processed; try again later"
            : "a request with this key was processed before; its response is not repeated");
    this.inFlight = inFlight;
  }

  /** Returns whether the first call still runs, so that its outcome is not known yet. */
  public boolean isInFlight() {
    return inFlight;
  }
}
