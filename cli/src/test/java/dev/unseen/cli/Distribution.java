package dev.unseen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** This module's part of the archive, laid out as there; the module dist makes and tests it all. */
final class Distribution {
  private Distribution() {}

  /** Lays it out below a directory; returns where its bin and lib are. */
  static Path unpack(Path place) throws IOException {
    Path module = Path.of(System.getProperty("basedir", "."));
    Path home = place.resolve("unseen-0");
    copy(module.resolve("../unseen"), home.resolve("bin/unseen"));
    copy(module.resolve("target/unseen-cli.jar"), home.resolve("lib/unseen-cli.jar"));
    Path lib = module.resolve("target/lib");
    try (Stream<Path> jars = Files.walk(lib)) {
      for (Path jar : jars.filter(Files::isRegularFile).toList()) {
        copy(jar, home.resolve("lib").resolve(lib.relativize(jar).toString()));
      }
    }
    return home;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
