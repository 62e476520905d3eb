package dev.unseen.client;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the keys cannot be reached at present: the server is down, still loads its filters, has
 * no memory left, or did not reply in time. The same call may succeed later.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean maybeExecuted;

  StoreUnavailableException(String message, boolean maybeExecuted, @Nullable Throwable cause) {
    super(message, cause);
    this.maybeExecuted = maybeExecuted;
  }

  /**
   * Returns whether the server may have executed the command, because only its reply was lost. If
   * false, nothing has changed.
   */
  public boolean isMaybeExecuted() {
    return maybeExecuted;
  }
}
