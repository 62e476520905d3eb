package dev.unseen.io;

import java.io.IOException;

/**
 * Input that cannot be read. The message is for the user, and enough: it names the file, the place,
 * what is wrong there and the way out.
 */
public final class InputException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With this message. */
  public InputException(String message) {
    super(message);
  }

  InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
