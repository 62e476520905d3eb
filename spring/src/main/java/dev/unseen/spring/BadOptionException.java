package dev.unseen.spring;

/** Thrown on startup if a property, a saved state or the use of an annotation is invalid. */
public final class BadOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /**
   * Creates the exception.
   *
   * @param message what is wrong, with the value and the limit
   * @param action what the user can do
   */
  public BadOptionException(String message, String action, Throwable cause) {
    super(message, cause);
    this.action = action;
  }

  /** Returns what the user can do. */
  public String action() {
    return action;
  }
}
