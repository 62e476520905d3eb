package dev.unseen.server.command;

/**
 * A command cannot be done. The message is the reply: a code, the value, the limit and the way out.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a refusal with a message that begins with its code, such as {@code ERR not found}. */
  public CommandException(String message) {
    super(message, null, false, false);
  }

  /** Returns the refusal for a value that a part of the library does not take. */
  public static CommandException of(IllegalArgumentException e) {
    return new CommandException("ERR " + e.getMessage());
  }
}
