package dev.unseen.testing.release;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is demanded of POMs. */
final class PomDemands {
  private static final String BOM = "unseen-bom";
  private static final String SNAPSHOT = "-SNAPSHOT";

  private PomDemands() {}

  static List<String> coordinates(Artifact artifact, Release release) {
    Map<String, String> found = new LinkedHashMap<>();
    found.put(artifact.groupId(), artifact.pom().groupId());
    found.put(artifact.artifactId(), artifact.pom().artifactId());
    found.put(artifact.version(), artifact.pom().version());
    return found.entrySet().stream()
        .filter(e -> !e.getKey().equals(e.getValue()))
        .map(e -> "the directory says %s, the POM %s".formatted(e.getKey(), e.getValue()))
        .toList();
  }

  static List<String> oneVersion(Artifact artifact, Release release) {
    String first = release.artifacts().get(0).version();
    return artifact.version().equals(first)
        ? List.of()
        : List.of("is %s, others are %s".formatted(artifact.version(), first));
  }

  static List<String> name(Artifact artifact, Release release) {
    return artifact.pom().name().isEmpty() ? List.of("no name") : List.of();
  }

  static List<String> description(Artifact artifact, Release release) {
    return missing(artifact, "description");
  }

  static List<String> url(Artifact artifact, Release release) {
    return missing(artifact, "url");
  }

  static List<String> licenses(Artifact artifact, Release release) {
    return missing(artifact, "licenses/license/name", "licenses/license/url");
  }

  static List<String> developers(Artifact artifact, Release release) {
    return missing(artifact, "developers/developer/name");
  }

  static List<String> scm(Artifact artifact, Release release) {
    return missing(artifact, "scm/connection", "scm/developerConnection", "scm/url");
  }

  /** A version that is being developed may need others of its own; a release may not. */
  static List<String> noSnapshots(Artifact artifact, Release release) {
    return needed(artifact).stream()
        .filter(d -> d.version().endsWith(SNAPSHOT))
        .filter(d -> !isOurs(d, artifact) || !d.version().equals(artifact.version()))
        .map(d -> "depends on " + d.coordinates())
        .toList();
  }

  static List<String> complete(Artifact artifact, Release release) {
    List<String> problems = new ArrayList<>();
    artifact
        .pom()
        .parentName()
        .filter(p -> release.artifact(p).isEmpty())
        .ifPresent(p -> problems.add("its parent %s is not here".formatted(p)));
    artifact.pom().dependencies().stream()
        .filter(d -> isOurs(d, artifact) && !d.scope().equals("test"))
        .filter(d -> release.artifact(d.artifactId()).isEmpty())
        .forEach(d -> problems.add(d.artifactId() + " is not here"));
    return problems;
  }

  static List<String> listed(Artifact artifact, Release release) {
    List<Pom.Dependency> list = release.artifact(BOM).map(b -> b.pom().managed()).orElse(List.of());
    Set<String> listed = list.stream().map(Pom.Dependency::artifactId).collect(Collectors.toSet());
    if (artifact.artifactId().equals(BOM)) {
      List<String> problems = new ArrayList<>();
      artifact
          .pom()
          .parentName()
          .ifPresent(p -> problems.add("would also manage what %s manages".formatted(p)));
      list.stream()
          .filter(d -> release.artifact(d.artifactId()).isEmpty())
          .forEach(d -> problems.add("lists %s, which is not here".formatted(d.artifactId())));
      return problems;
    }
    return artifact.isJar() && !listed.contains(artifact.artifactId())
        ? List.of("%s does not list it".formatted(BOM))
        : List.of();
  }

  private static List<Pom.Dependency> needed(Artifact artifact) {
    List<Pom.Dependency> all = new ArrayList<>(artifact.pom().dependencies());
    all.addAll(artifact.pom().managed());
    return all;
  }

  private static boolean isOurs(Pom.Dependency dependency, Artifact artifact) {
    return dependency.groupId().equals(artifact.groupId());
  }

  private static List<String> missing(Artifact artifact, String... paths) {
    List<String> problems = new ArrayList<>();
    for (String path : paths) {
      if (artifact.pom().inherited(path).isEmpty()) {
        problems.add("no " + path);
      }
    }
    return problems;
  }
}
