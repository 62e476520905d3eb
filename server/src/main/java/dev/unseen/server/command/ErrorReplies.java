package dev.unseen.server.command;

import dev.unseen.server.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;

/** Returns the error replies to commands that have failed, and logs the failures. */
public final class ErrorReplies {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");

  private ErrorReplies() {}

  /**
   * Returns the error to reply. Logs it, unless the command itself is to blame: the messages of
   * unexpected exceptions are only logged.
   */
  public static String of(Throwable e) {
    if (e instanceof CommandException) {
      return e.getMessage();
    }
    if (e instanceof StoreException store) {
      return codeOf(store.reason()) + " " + describe(store);
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

  private static String codeOf(StoreException.Reason reason) {
    return switch (reason) {
      case MEMORY_LIMIT, HEAP_FULL -> "OOM";
      case NO_RESERVATION -> "NORESERVATION";
      case RESERVATION_LIMIT -> "RESERVATIONLIMIT";
      default -> "ERR";
    };
  }

  /** Returns the message with the remedy. */
  public static String describe(StoreException e) {
    String remedy =
        switch (e.reason()) {
          case NOT_FOUND, EXISTS, NO_RESERVATION -> ""; // as RedisBloom replies; or there is none
          case INVALID_NAME -> "; choose another name";
          case FILTER_LIMIT -> "; delete one, or start the server with a larger --max-keys";
          case MEMORY_LIMIT ->
              "; delete a filter, ask for less, or start the server with a larger --max-memory";
          case HEAP_FULL -> "; start the server with a larger -Xmx";
          case EXPIRY_TOO_LONG -> "; use a shorter one";
          case EXPIRY_LIMIT -> "; use one of these";
          case DELETED_LIMIT ->
              "; let keys expire, use UN.RESERVE, UN.COMMIT and UN.ROLLBACK, or start the server with a larger --max-deleted-keys";
          case RESERVATION_LIMIT ->
              "; commit or roll back some, reserve them for a shorter time, or start the server with a larger --max-reservations";
        };
    return e.getMessage() + remedy;
  }
}
