package dev.unseen;

/**
 * Thrown by {@code reserve} when as many keys are reserved as {@link GateBuilder#maxReservations}
 * allows. Nothing was reserved and nothing was counted: try again later, commit or roll back
 * reservations, shorten {@link GateBuilder#reservationTimeout}, or raise the limit.
 */
public final class ReservationLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ReservationLimitException(int limit) {
    this(
        "%,d keys are reserved already, which is the limit; commit or roll back reservations, shorten reservationTimeout, or raise maxReservations"
            .formatted(limit));
  }

  /** Creates one with the message of a server that keeps the reservations. */
  public ReservationLimitException(String message) {
    super(message);
  }
}
