package dev.unseen.commands;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Describes what is wrong with a file, because Java's own message is often only the name. */
public final class IoMessages {
  private IoMessages() {}

  /** Returns the file and the reason, or the message of the exception if it is not about a file. */
  public static String describe(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() == null) {
      return "%s: %s".formatted(file.getFile(), reason(file));
    }
    return message(e);
  }

  /** Returns the message of the innermost cause; engines wrap what went wrong many times. */
  public static String innermost(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    if (inner instanceof FileSystemException file) {
      return describe(file);
    }
    return message(inner);
  }

  /** Returns the first exception of this type among a failure and its causes. */
  public static <T> Optional<T> cause(Throwable failure, Class<T> type) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }

  /** Returns the message of an exception, or its name if it has none. */
  static String message(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private static String reason(FileSystemException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "it is not a directory";
    }
    return e instanceof FileAlreadyExistsException
        ? "it cannot be used as a directory: a file of that name is there"
        : "it cannot be read or written";
  }
}
