package dev.unseen.lab.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a file completely or not at all: it writes a file beside it first, and then renames that.
 */
public final class WholeFile {
  private WholeFile() {}

  /** Writes the text in UTF-8. If it fails, the old file stays. */
  public static void write(Path file, String text) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
