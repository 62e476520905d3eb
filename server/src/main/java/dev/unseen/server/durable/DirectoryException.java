package dev.unseen.server.durable;

import java.io.IOException;

/**
 * Thrown if a directory cannot be used. The message names the directory and what is wrong; the
 * caller adds the remedy, which follows from the reason.
 */
public final class DirectoryException extends IOException {
  private static final long serialVersionUID = 1L;

  public enum Reason {
    /** Another server uses it. */
    IN_USE,
    /** It cannot be created or written. */
    NOT_WRITABLE,
    /** Files are missing that others refer to. */
    INCOMPLETE,
    /** A newer version has written it. */
    UNKNOWN_FORMAT
  }

  private final Reason reason;

  DirectoryException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
