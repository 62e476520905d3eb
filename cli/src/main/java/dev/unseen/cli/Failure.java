package dev.unseen.cli;

import dev.unseen.io.FileTrouble;
import dev.unseen.snapshot.SnapshotException;
import java.io.IOException;

/** An end that the user can understand: a message in plain words, or none, and the exit code. */
public final class Failure extends Exception {
  /** All went well, or the reader of our output wanted no more. */
  public static final int OK = 0;

  /** Input could not be read or output not written. */
  static final int INPUT_OR_OUTPUT = 1;

  /** The command was not understood, or cannot be obeyed. */
  public static final int USAGE = 2;

  /** A saved state is damaged, in use, or of another filter. */
  static final int STATE = 3;

  /** There were duplicates, and the user wanted to know by the exit code. */
  static final int DUPLICATES = 4;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private Failure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns the failure of a command that was not understood, or cannot be obeyed. */
  public static Failure usage(String message, Throwable cause) {
    return new Failure(USAGE, message, cause);
  }

  static Failure state(String message, Throwable cause) {
    return new Failure(STATE, message, cause);
  }

  /** Returns the failure of reading or writing. */
  public static Failure inputOrOutput(String message, Throwable cause) {
    return new Failure(INPUT_OR_OUTPUT, message, cause);
  }

  /**
   * The end of a run whose reader has closed the pipe, as {@code head} does: it has what it wanted,
   * so this is no error, and there is nothing to say.
   */
  static Failure readerGone(Throwable cause) {
    return new Failure(OK, "", cause);
  }

  /**
   * The one mapping from what goes wrong to what the user is told and the exit code; null for what
   * is a bug.
   */
  public static Failure of(Throwable e) {
    if (e instanceof Failure failure) {
      return failure;
    }
    if (e instanceof SnapshotException) {
      return state(e.getMessage(), e);
    }
    if (e instanceof IOException io) {
      return inputOrOutput(FileTrouble.describe(io), e);
    }
    return e instanceof IllegalArgumentException ? usage(e.getMessage(), e) : null;
  }

  /** Throws what another thread failed with, if it did. */
  static void rethrow(Throwable e) throws Failure {
    if (e instanceof Failure || e instanceof IOException) {
      throw of(e);
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

  /** Returns whether the user asked for something that cannot be. */
  public boolean isUsage() {
    return exitCode == USAGE;
  }

  /** Returns the exit code. */
  public int exitCode() {
    return exitCode;
  }
}
