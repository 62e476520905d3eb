package dev.unseen.testing.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * One artifact of a release.
 *
 * @param version the version as the directory has it, such as 0.1.0 or 0.1.0-SNAPSHOT
 * @param files its files by what follows the version in their names, such as ".pom" and
 *     "-sources.jar"; without checksums, signatures and Maven's lists
 */
record Artifact(
    String groupId, String artifactId, String version, Map<String, Path> files, Pom pom) {
  static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");

  Optional<Path> file(String ending) {
    return Optional.ofNullable(files.get(ending));
  }

  /** Returns whether Java code is published, and not a POM alone. */
  boolean isJar() {
    return !pom.packaging().equals("pom");
  }

  /** Returns the names of what is in a jar of this artifact; none if there is no such jar. */
  List<String> entries(String ending) {
    if (file(ending).isEmpty()) {
      return List.of();
    }
    try (JarFile jar = new JarFile(file(ending).get().toFile())) {
      return jar.stream().map(e -> e.getName()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
