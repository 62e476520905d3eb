package dev.unseen.testing.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A published POM, which inherits from its parent what Maven says it does. */
final class Pom {
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  private final Element project;
  private final Optional<Pom> parent;

  private Pom(Element project, Optional<Pom> parent) {
    this.project = project;
    this.parent = parent;
  }

  static Pom of(Path file, Optional<Pom> parent) {
    return new Pom(parse(file), parent);
  }

  /** Returns the root of an XML file. */
  static Element parse(Path file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalArgumentException("cannot read %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Returns the artifact that this POM names as its parent, which need not be published yet. */
  Optional<String> parentName() {
    return elements(project, "parent").stream().findFirst().map(p -> text(p, "artifactId"));
  }

  String groupId() {
    return interpolated("${project.groupId}");
  }

  String artifactId() {
    return own("artifactId").orElse("");
  }

  String version() {
    return interpolated("${project.version}");
  }

  String packaging() {
    return own("packaging").orElse("jar");
  }

  /** Returns the POM's name, which is the one element of these that nobody inherits. */
  String name() {
    return own("name").orElse("");
  }

  /** Returns the text at a path of elements such as "scm/url", its own or its parent's, or "". */
  String inherited(String path) {
    Element element = project;
    for (String step : path.split("/", -1)) {
      Optional<Element> next = elements(element, step).stream().findFirst();
      if (next.isEmpty()) {
        return parent.map(p -> p.inherited(path)).orElse("");
      }
      element = next.get();
    }
    return interpolated(element.getTextContent().strip());
  }

  /** Returns what an artifact needs: its own dependencies, with the versions of all its parents. */
  List<Dependency> dependencies() {
    return dependencies(elements(project, "dependencies"));
  }

  /** Returns the dependencies that this POM alone manages, without its parent's. */
  List<Dependency> managed() {
    return elements(project, "dependencyManagement").stream()
        .flatMap(m -> dependencies(elements(m, "dependencies")).stream())
        .toList();
  }

  /** One dependency; its version is "" if another POM, imported from elsewhere, says it. */
  record Dependency(String groupId, String artifactId, String version, String scope) {
    String coordinates() {
      return version.isEmpty()
          ? groupId + ":" + artifactId
          : groupId + ":" + artifactId + ":" + version;
    }
  }

  private List<Dependency> dependencies(List<Element> lists) {
    List<Dependency> found = new ArrayList<>();
    for (Element list : lists) {
      for (Element each : elements(list, "dependency")) {
        String groupId = interpolated(text(each, "groupId"));
        String artifactId = interpolated(text(each, "artifactId"));
        String version = interpolated(text(each, "version"));
        String scope = text(each, "scope");
        found.add(
            new Dependency(
                groupId,
                artifactId,
                version.isEmpty() ? managedVersion(groupId, artifactId) : version,
                scope.isEmpty() ? "compile" : scope));
      }
    }
    return found;
  }

  private String managedVersion(String groupId, String artifactId) {
    for (Element management : elements(project, "dependencyManagement")) {
      for (Element list : elements(management, "dependencies")) {
        for (Element each : elements(list, "dependency")) {
          if (interpolated(text(each, "groupId")).equals(groupId)
              && interpolated(text(each, "artifactId")).equals(artifactId)) {
            return interpolated(text(each, "version"));
          }
        }
      }
    }
    return parent.map(p -> p.managedVersion(groupId, artifactId)).orElse("");
  }

  private Optional<String> own(String name) {
    String text = interpolated(text(project, name));
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private String interpolated(String text) {
    if (!text.contains("${")) {
      return text;
    }
    Map<String, String> properties = properties();
    return PROPERTY
        .matcher(text)
        .replaceAll(m -> Matcher.quoteReplacement(properties.getOrDefault(m.group(1), m.group())));
  }

  private Map<String, String> properties() {
    Map<String, String> all = new HashMap<>(parent.map(Pom::properties).orElse(Map.of()));
    for (Element list : elements(project, "properties")) {
      for (Element each : elements(list, "*")) {
        all.put(each.getTagName(), each.getTextContent().strip());
      }
    }
    all.put("project.artifactId", text(project, "artifactId"));
    for (String name : List.of("groupId", "version")) {
      String own = text(project, name);
      String fromParent =
          elements(project, "parent").stream().map(p -> text(p, name)).findFirst().orElse("");
      all.put("project." + name, own.isEmpty() ? fromParent : own);
    }
    return all;
  }

  private static String text(Element element, String name) {
    return elements(element, name).stream()
        .findFirst()
        .map(e -> e.getTextContent().strip())
        .orElse("");
  }

  /** Returns the direct children of a name, or all of them if it is "*". */
  static List<Element> elements(Element element, String name) {
    List<Element> found = new ArrayList<>();
    for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element e && (name.equals("*") || e.getTagName().equals(name))) {
        found.add(e);
      }
    }
    return found;
  }
}
