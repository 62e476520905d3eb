package dev.unseen.client;

/** The server knows no reservation with a token: it was settled, or has expired. */
final class NoReservationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoReservationException(String message) {
    super(message);
  }
}
