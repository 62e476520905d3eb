package dev.unseen.testing.release;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.w3c.dom.Element;

/** A bill of materials names the artifact, its version, and all that comes with it. */
final class SbomDemand {
  private static final String XML = "-cyclonedx.xml";

  private SbomDemand() {}

  static List<String> sbom(Artifact artifact, Release release) {
    if (!artifact.isJar()) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    if (artifact.file("-cyclonedx.json").isEmpty()) {
      problems.add("no *-cyclonedx.json");
    }
    if (artifact.file(XML).isEmpty()) {
      problems.add("no *" + XML);
    } else {
      problems.addAll(wrong(artifact, artifact.file(XML).get()));
    }
    return problems;
  }

  private static List<String> wrong(Artifact artifact, Path file) {
    Element bom = Pom.parse(file);
    String self = names(bom, "metadata", "component").stream().findFirst().orElse("nothing");
    List<String> problems = new ArrayList<>();
    if (!self.equals(artifact.artifactId() + " " + artifact.version())) {
      problems.add("it is about " + self);
    }
    Set<String> components =
        names(bom, "components", "component").stream()
            .map(n -> n.substring(0, n.indexOf(' ')))
            .collect(Collectors.toSet());
    artifact.pom().dependencies().stream()
        .filter(d -> d.scope().equals("compile") || d.scope().equals("runtime"))
        .filter(d -> !components.contains(d.artifactId()))
        .forEach(d -> problems.add(d.artifactId() + " is not in it"));
    return problems;
  }

  private static List<String> names(Element bom, String list, String each) {
    return Pom.elements(bom, list).stream()
        .flatMap(l -> Pom.elements(l, each).stream())
        .map(c -> text(c, "name") + " " + text(c, "version"))
        .toList();
  }

  private static String text(Element element, String name) {
    return Pom.elements(element, name).stream()
        .findFirst()
        .map(e -> e.getTextContent().strip())
        .orElse("");
  }
}
