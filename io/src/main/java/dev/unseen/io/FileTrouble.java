package dev.unseen.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What is wrong with a file, in words: Java's own message is often the name alone. */
public final class FileTrouble {
  private FileTrouble() {}

  /** The file and the reason; the message of what is no trouble with a file. */
  public static String describe(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() == null) {
      return "%s: %s".formatted(file.getFile(), reason(file));
    }
    return e.getMessage();
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
