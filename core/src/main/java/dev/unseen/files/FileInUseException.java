package dev.unseen.files;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Thrown if a lock file is held by another process, or elsewhere in this one. */
public final class FileInUseException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  private final String owner;

  FileInUseException(Path lockFile, String owner) {
    super(lockFile.toString(), null, "in use by " + owner);
    this.owner = owner;
  }

  /** Returns who holds the lock: "this process", or "another process" and its number if known. */
  public String owner() {
    return owner;
  }
}
