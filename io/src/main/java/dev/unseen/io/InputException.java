package dev.unseen.io;

import java.io.IOException;

/**
 * Thrown if input cannot be read. The message is for the user: it names the file, the place, the
 * problem and the remedy.
 */
public final class InputException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with this message. */
  public InputException(String message) {
    super(message);
  }

  /** Creates an exception with this message and cause. */
  public InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
