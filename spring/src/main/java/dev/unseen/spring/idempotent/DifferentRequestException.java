package dev.unseen.spring.idempotent;

/**
 * Thrown in place of a call by a request whose key was processed before, for a request with another
 * body, path or user.
 */
public final class DifferentRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DifferentRequestException() {
    super(
        "the key was used before, for a request with another body; send a new key with each new request");
  }
}
