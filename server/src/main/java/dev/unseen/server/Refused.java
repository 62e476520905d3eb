package dev.unseen.server;

/**
 * A command cannot be done. The message is the reply: a code, the value, the limit and the way out.
 */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a refusal with a message that begins with its code, such as {@code ERR not found}. */
  public Refused(String message) {
    super(message, null, false, false);
  }

  /** Returns the refusal for a value that a part of the library does not take. */
  public static Refused of(IllegalArgumentException e) {
    return new Refused("ERR " + e.getMessage());
  }
}
