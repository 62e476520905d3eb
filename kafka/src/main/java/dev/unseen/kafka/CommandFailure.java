package dev.unseen.kafka;

import dev.unseen.commands.IoMessages;
import java.nio.file.FileSystemException;

/** Ends the command with a message in plain words and an exit code. */
final class CommandFailure extends Exception {
  static final int OK = 0;

  /** A topic could not be read or written. */
  static final int INPUT_OR_OUTPUT = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** The state of the application is of another filter. */
  static final int STATE = 3;

  private static final long serialVersionUID = 1;

  private final int exitCode;

  CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns the failure of reading or writing a topic. */
  static CommandFailure inputOrOutput(String message, Throwable cause) {
    return new CommandFailure(INPUT_OR_OUTPUT, message, cause);
  }

  int exitCode() {
    return exitCode;
  }

  /** Kafka wraps what went wrong many times over; the innermost says it. */
  static String reason(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    if (inner instanceof FileSystemException file) {
      return IoMessages.describe(file);
    }
    return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
  }
}
