package dev.unseen.lab.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces a file atomically: writes another file in the same directory, and then renames it. */
public final class WholeFile {
  private WholeFile() {}

  /** Writes the text in UTF-8. If it fails, the old file stays. */
  public static void write(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(part, text);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
