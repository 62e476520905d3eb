package dev.unseen.server.store;

/**
 * Thrown if the store rejects a request. The message has the values and the limit; the caller adds
 * the code and the remedy, which follow from the reason.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public enum Reason {
    /** No filter has this name. */
    NOT_FOUND,
    /** A filter has this name. */
    EXISTS,
    /** The name cannot be that of a filter. */
    INVALID_NAME,
    /** The limit of filters is reached. */
    FILTER_LIMIT,
    /** The memory limit of all filters would be exceeded. */
    MEMORY_LIMIT,
    /** The heap has no room. */
    HEAP_FULL,
    /** An expiry is too long. */
    EXPIRY_TOO_LONG,
    /** The limit of different expiries of SET is reached. */
    EXPIRY_LIMIT,
    /** The limit of deleted keys of SET is reached. */
    DELETED_LIMIT,
    /** The limit of reserved items is reached. */
    RESERVATION_LIMIT,
    /** No reservation has this token. */
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
