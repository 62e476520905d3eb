package dev.unseen.server.store;

/**
 * Thrown if the store rejects a request. The message has the values and the limit; the caller adds
 * the code and the remedy, which follow from the reason.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public enum Reason {
    NOT_FOUND,
    EXISTS,
    INVALID_NAME,
    FILTER_LIMIT,
    /** The memory limit of all filters would be exceeded. */
    MEMORY_LIMIT,
    HEAP_FULL,
    EXPIRY_TOO_LONG,
    /** The limit of different expiries of SET is reached. */
    EXPIRY_LIMIT,
    /** The limit of deleted keys of SET is reached. */
    DELETED_LIMIT,
    RESERVATION_LIMIT,
    NO_RESERVATION
  }

  private final Reason reason;

  StoreException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
