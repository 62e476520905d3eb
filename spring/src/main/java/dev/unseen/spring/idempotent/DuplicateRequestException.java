package dev.unseen.spring.idempotent;

import java.util.Optional;

/** Thrown in place of a call whose key is being processed, or was processed before. */
public final class DuplicateRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean inFlight;
  private final transient StoredResponse response; // null: it is not known

  DuplicateRequestException(boolean inFlight) {
    super(
        inFlight
            ? "a request with this key is being processed; try again later"
            : "a request with this key was processed before; its response is not repeated");
    this.inFlight = inFlight;
    this.response = null;
  }

  DuplicateRequestException(StoredResponse response) {
    super("a request with this key was processed before; its response is repeated");
    this.inFlight = false;
    this.response = response;
  }

  /** Returns whether the first call still runs, so that its outcome is not known yet. */
  public boolean isInFlight() {
    return inFlight;
  }

  /** Returns the response to the first request, if it was saved. */
  Optional<StoredResponse> response() {
    return Optional.ofNullable(response);
  }
}
