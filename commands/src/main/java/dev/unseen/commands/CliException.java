package dev.unseen.commands;

import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ends a run with a message, or without one, and with an exit code. */
public final class CliException extends Exception {
  /** The run is complete, or the reader of the output has closed the pipe. */
  public static final int OK = 0;

  /** An input could not be read, or an output could not be written. */
  public static final int INPUT_OR_OUTPUT = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** A saved state is damaged, in use, or belongs to another filter. */
  public static final int STATE = 3;

  /** A duplicate was found, and the user asked for this exit code. */
  public static final int DUPLICATES = 4;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CliException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns the failure of a wrong command line. */
  public static CliException usage(String message, @Nullable Throwable cause) {
    return new CliException(USAGE, message, cause);
  }

  public static CliException state(String message, @Nullable Throwable cause) {
    return new CliException(STATE, message, cause);
  }

  /** Returns the failure of reading or writing. */
  public static CliException inputOrOutput(String message, @Nullable Throwable cause) {
    return new CliException(INPUT_OR_OUTPUT, message, cause);
  }

  /**
   * Returns the end of a run whose reader has closed the pipe, as {@code head} does. The reader has
   * what it wanted, so this is not an error and has no message.
   */
  public static CliException readerGone(@Nullable Throwable cause) {
    return new CliException(OK, "", cause);
  }

  /**
   * Returns the message and the exit code for what went wrong; null if it is a bug. This is the
   * only place that decides it.
   */
  public static @Nullable CliException of(Throwable e) {
    if (e instanceof CliException failure) {
      return failure;
    }
    if (e instanceof SnapshotException) {
      return state(IoMessages.message(e), e);
    }
    if (e instanceof IOException io) {
      return inputOrOutput(IoMessages.describe(io), e);
    }
    return e instanceof IllegalArgumentException wrong
        ? usage(GateArguments.message(wrong), e)
        : null;
  }

  /** Throws the failure of another thread, if there is one. */
  public static void rethrow(@Nullable Throwable e) throws CliException {
    if (e instanceof CliException || e instanceof IOException) {
      throw Objects.requireNonNull(of(e));
    }
    if (e instanceof RuntimeException unexpected) {
      throw unexpected;
    }
    if (e instanceof Error error) {
      throw error;
    }
    if (e != null) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the command line is wrong. */
  public boolean isUsage() {
    return exitCode == USAGE;
  }

  /** Returns the exit code. */
  public int exitCode() {
    return exitCode;
  }
}
