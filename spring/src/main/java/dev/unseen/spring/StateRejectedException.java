package dev.unseen.spring;

import java.nio.file.Path;

/** Thrown on startup if the state of a deduplicator cannot be used. */
public final class StateRejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason why a state cannot be used. */
  public enum Reason {
    /** The file cannot be locked, read or written. */
    NOT_USABLE,
    /** The file is damaged, or is not a state. */
    DAMAGED,
    /** The state was saved with other options. */
    DIFFERENT_OPTIONS
  }

  private final Reason reason;
  private final String deduplicator;
  private final String prefix;
  private final transient Path file;

  StateRejectedException(
      Reason reason,
      String deduplicator,
      String prefix,
      Path file,
      String message,
      Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.deduplicator = deduplicator;
    this.prefix = prefix;
    this.file = file;
  }

  /** Returns why the state cannot be used. */
  public Reason reason() {
    return reason;
  }

  /** Returns the name of the deduplicator. */
  public String deduplicator() {
    return deduplicator;
  }

  /** Returns the prefix of its properties. */
  String prefix() {
    return prefix;
  }

  /** Returns the file with the state. */
  public Path file() {
    return file;
  }
}
