package dev.unseen.server.store;

/**
 * Thrown if the store cannot do what was asked. The message has the values and the limit; whoever
 * talks to the client adds the code and the remedy, which follow from the reason.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why it cannot be done. */
  public enum Reason {
    /** There is no filter of this name. */
    NOT_FOUND,
    /** There is a filter of this name. */
    EXISTS,
    /** The name cannot be that of a filter. */
    INVALID_NAME,
    /** There are as many filters as are allowed. */
    FILTER_LIMIT,
    /** The filters may use no more memory. */
    MEMORY_LIMIT,
    /** The heap has no room. */
    HEAP_FULL,
    /** An expiry is too long. */
    EXPIRY_TOO_LONG,
    /** Keys of SET have as many different expiries as are allowed. */
    EXPIRY_LIMIT,
    /** As many keys of SET are deleted as can be listed. */
    DELETED_LIMIT,
    /** As many items are reserved as are allowed. */
    RESERVATION_LIMIT,
    /** There is no reservation with this token. */
    NO_RESERVATION
  }

  private final Reason reason;

  StoreException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Returns why it cannot be done. */
  public Reason reason() {
    return reason;
  }
}
