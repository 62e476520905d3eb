package dev.unseen.testing.release;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The artifacts in a directory to which Maven has deployed. */
record Release(Path directory, List<Artifact> artifacts) {
  private static final Set<String> SIDE_FILES = Set.of("md5", "sha1", "sha256", "sha512", "asc");

  /** What a version that is not released becomes when it is deployed: a time and a count. */
  private static final Pattern BUILD = Pattern.compile("(\\d{8}\\.\\d{6}-\\d+)(.*)");

  /**
   * Reads a directory.
   *
   * @throws IllegalArgumentException if a POM cannot be read, or is not where its name says
   */
  static Release read(Path directory) {
    Map<String, Path> poms = new TreeMap<>();
    for (Path each : list(directory)) {
      if (each.toString().endsWith(".pom")) {
        poms.put(each.getParent().toString(), each);
      }
    }
    Map<String, Map<String, Path>> files = new TreeMap<>();
    poms.forEach(
        (parent, pom) -> {
          Map<String, Path> found = filesOf(pom.getParent());
          if (!found.containsKey(".pom")) {
            throw new IllegalArgumentException("%s does not fit its directory".formatted(pom));
          }
          files.put(parent, found);
        });
    Map<String, Path> byName =
        files.values().stream()
            .map(f -> f.get(".pom"))
            .collect(toMap(Release::artifactId, pom -> pom, (a, b) -> a));
    Map<String, Pom> parsed = new HashMap<>();
    List<Artifact> artifacts = new ArrayList<>();
    for (Map<String, Path> each : files.values()) {
      Path pom = each.get(".pom");
      Path version = pom.getParent();
      Path group = directory.relativize(version.getParent().getParent());
      artifacts.add(
          new Artifact(
              group.toString().replace(group.getFileSystem().getSeparator(), "."),
              artifactId(pom),
              version.getFileName().toString(),
              each,
              pom(artifactId(pom), byName, parsed)));
    }
    artifacts.sort(comparing(Artifact::artifactId));
    return new Release(directory, List.copyOf(artifacts));
  }

  Optional<Artifact> artifact(String artifactId) {
    return artifacts.stream().filter(a -> a.artifactId().equals(artifactId)).findFirst();
  }

  /** Returns whether a file only says something about another one. */
  static boolean isSideFile(Path file) {
    String name = file.getFileName().toString();
    return SIDE_FILES.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  private static String artifactId(Path pom) {
    return pom.getParent().getParent().getFileName().toString();
  }

  private static Pom pom(String name, Map<String, Path> files, Map<String, Pom> parsed) {
    Pom known = parsed.get(name);
    if (known == null) {
      Optional<String> parent =
          Pom.of(files.get(name), Optional.empty()).parentName().filter(files::containsKey);
      known = Pom.of(files.get(name), parent.map(p -> pom(p, files, parsed)));
      parsed.put(name, known);
    }
    return known;
  }

  /** Returns the files of a version; of one that was deployed several times, the last ones. */
  private static Map<String, Path> filesOf(Path version) {
    String artifactId = version.getParent().getFileName().toString();
    String stem = artifactId + "-" + version.getFileName().toString().replace("SNAPSHOT", "");
    Map<String, Path> files = new TreeMap<>();
    Map<String, String> builds = new HashMap<>();
    for (Path each : list(version)) {
      String name = each.getFileName().toString();
      if (!name.startsWith(stem) || isSideFile(each)) {
        continue;
      }
      String ending = name.substring(stem.length());
      String build = "";
      Matcher matcher = BUILD.matcher(ending);
      if (stem.endsWith("-") && matcher.matches()) {
        build = matcher.group(1);
        ending = matcher.group(2);
      }
      if (build.compareTo(builds.getOrDefault(ending, "")) >= 0) {
        builds.put(ending, build);
        files.put(ending, each);
      }
    }
    return files;
  }

  private static List<Path> list(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
