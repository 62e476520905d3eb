package dev.unseen.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The archives that the build has just made, as somebody has unpacked them. */
record Unpacked(Path home) {
  private static final Path TARGET =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("target");

  /** Unpacks the archive below a directory. */
  static Unpacked below(Path place) throws IOException {
    return new Unpacked(unpack(archive(""), place));
  }

  /** Unpacks the part for Flink over it. */
  void addFlink() throws IOException {
    unpack(archive("-flink"), home.getParent());
  }

  Path launcher() {
    return home.resolve("bin/unseen");
  }

  /** Runs the command without input. */
  Ran run(Object... args) {
    return Ran.of("", command(args));
  }

  ProcessBuilder command(Object... args) {
    ProcessBuilder builder = Ran.command(launcher());
    for (Object arg : args) {
      builder.command().add(arg.toString());
    }
    return builder;
  }

  /** Returns the archive with this end of its name. */
  static Path archive(String part) throws IOException {
    try (Stream<Path> files = Files.list(TARGET)) {
      return files
          .filter(file -> file.getFileName().toString().matches("unseen-[0-9].*\\.zip"))
          .filter(file -> file.toString().endsWith("-flink.zip") == part.equals("-flink"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Path unpack(Path zip, Path place) throws IOException {
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
    Path home = place.resolve(zip.getFileName().toString().replaceFirst("(-flink)?\\.zip$", ""));
    Files.setPosixFilePermissions(
        home.resolve("bin/unseen"), PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }
}
