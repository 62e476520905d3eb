package dev.unseen.files;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Thrown if a file that is not a lock has the name of a lock file. It was not changed. */
public final class ForeignFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  ForeignFileException(Path file) {
    super(
        file.toString(),
        null,
        "this file is not a lock of unseen, but has the name of one; move it away");
  }
}
