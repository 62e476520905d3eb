package dev.unseen.server.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;

/** Returns the error replies to commands that have failed, and logs the failures. */
public final class ErrorReplies {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");

  private ErrorReplies() {}

  /**
   * Returns the error to reply. Logs it, unless the command itself is to blame: the messages of
   * exceptions that nobody expected are for the log alone.
   */
  public static String of(Throwable e) {
    if (e instanceof CommandException) {
      return e.getMessage();
    }
    if (e instanceof IllegalArgumentException) {
      return "ERR " + e.getMessage();
    }
    if (e instanceof IOException || e instanceof UncheckedIOException) {
      LOG.log(Level.ERROR, "a command failed: " + e.getMessage());
      return "ERR " + e.getMessage();
    }
    if (e instanceof OutOfMemoryError) {
      LOG.log(Level.ERROR, "a command failed: " + e.getMessage());
      return "OOM the heap has no room for this; start the server with a larger -Xmx";
    }
    LOG.log(Level.ERROR, "a command failed", e);
    return "ERR internal error: the command failed, and may have been executed in part; the reason is in the log of the server";
  }
}
