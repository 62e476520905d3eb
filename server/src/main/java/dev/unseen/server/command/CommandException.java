package dev.unseen.server.command;

/**
 * Thrown if a command cannot be run. The message is the error reply: a code, the value, the limit
 * and the remedy.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message begins with its code, such as {@code ERR not found}. */
  public CommandException(String message) {
    super(message, null, false, false);
  }

  /** Returns the exception for a value that a part of the library does not accept. */
  static CommandException of(IllegalArgumentException e) {
    return new CommandException("ERR " + e.getMessage());
  }
}
