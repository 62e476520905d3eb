package dev.unseen.testing.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What is demanded of jars. */
final class JarDemands {
  private JarDemands() {}

  static List<String> classes(Artifact artifact, Release release) {
    return holds(artifact, ".jar", ".class");
  }

  static List<String> sources(Artifact artifact, Release release) {
    return holds(artifact, "-sources.jar", ".java");
  }

  static List<String> javadoc(Artifact artifact, Release release) {
    return holds(artifact, "-javadoc.jar", "index.html");
  }

  static List<String> licence(Artifact artifact, Release release) {
    List<String> problems = new ArrayList<>();
    for (String jar : Artifact.JARS) {
      List<String> entries = artifact.entries(jar);
      for (String file : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
        if (artifact.file(jar).isPresent() && !entries.contains(file)) {
          problems.add("no %s in *%s".formatted(file, jar));
        }
      }
    }
    return problems;
  }

  /** Asks Java itself, so a jar that it would not take as a module is found too. */
  static List<String> moduleName(Artifact artifact, Release release) {
    if (!artifact.isJar() || artifact.file(".jar").isEmpty()) {
      return List.of();
    }
    Path jar = artifact.file(".jar").get();
    try {
      ModuleDescriptor module =
          ModuleFinder.of(jar).findAll().stream()
              .findFirst()
              .map(ModuleReference::descriptor)
              .orElseThrow(() -> new FindException("no module"));
      Optional<String> stated = statedName(jar);
      if (module.isAutomatic() && stated.isEmpty()) {
        return List.of("neither a module-info nor an Automatic-Module-Name");
      }
      return stated.isEmpty() || stated.get().equals(module.name())
          ? List.of()
          : List.of("module-info says %s, the manifest %s".formatted(module.name(), stated.get()));
    } catch (FindException e) {
      return List.of("no module for Java: " + e.getMessage());
    }
  }

  private static Optional<String> statedName(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return Optional.ofNullable(file.getManifest())
          .map(Manifest::getMainAttributes)
          .map(a -> a.getValue("Automatic-Module-Name"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> holds(Artifact artifact, String jar, String ending) {
    if (!artifact.isJar()) {
      return List.of();
    }
    if (artifact.file(jar).isEmpty()) {
      return List.of("no *" + jar);
    }
    return artifact.entries(jar).stream().anyMatch(e -> e.endsWith(ending))
        ? List.of()
        : List.of("no *%s in *%s".formatted(ending, jar));
  }
}
