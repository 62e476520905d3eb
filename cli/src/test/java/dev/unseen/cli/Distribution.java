package dev.unseen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The archive that {@code mvn package} makes for those who have no Maven. */
final class Distribution {
  private Distribution() {}

  /** Unpacks it below a directory; returns where its bin and lib are. */
  static Path unpack(Path place) throws IOException {
    Path target = Path.of(System.getProperty("basedir", "."), "target");
    Path zip;
    try (Stream<Path> files = Files.list(target)) {
      zip =
          files
              .filter(file -> file.getFileName().toString().matches("unseen-[0-9].*\\.zip"))
              .findFirst()
              .orElseThrow();
    }
    try (ZipFile archive = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : Collections.list(archive.entries())) {
        Path file = place.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(archive.getInputStream(entry), file);
        }
      }
    }
    Path home = place.resolve(zip.getFileName().toString().replace(".zip", ""));
    Files.setPosixFilePermissions(
        home.resolve("bin/unseen"), PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }
}
