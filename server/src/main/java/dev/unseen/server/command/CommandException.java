package dev.unseen.server.command;

import dev.unseen.Option;
import dev.unseen.error.OptionException;
import java.util.Map;

/**
 * Thrown if a command cannot be run. The message is the error reply: a code, the value, the limit
 * and the remedy.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The options of a filter, as clients name them. */
  private static final Map<String, String> NAMES =
      Map.of(
          Option.MEMORY.name(), "MEMORY",
          Option.WINDOW.name(), "WINDOW",
          Option.KIND.name(), "KIND",
          Option.MAX_LATENESS.name(), "LATENESS",
          Option.MAX_FPR.name(), "error rate",
          Option.EXPECTED_KEYS.name(), "capacity");

  /** Creates an exception whose message begins with its code, such as {@code ERR not found}. */
  public CommandException(String message) {
    super(message, null, false, false);
  }

  /** Returns the exception for a value that a part of the library does not accept. */
  static CommandException of(IllegalArgumentException e) {
    String message =
        e instanceof OptionException option
            ? option.describe(name -> NAMES.getOrDefault(name, name))
            : e.getMessage();
    return new CommandException("ERR " + message);
  }
}
