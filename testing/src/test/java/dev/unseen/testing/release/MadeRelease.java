package dev.unseen.testing.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A small release that meets every demand, until a test changes it: a parent, a BOM, and the
 * artifacts a and b, where b needs a.
 */
final class MadeRelease {
  static final Map<String, String> FILES =
      Map.of("META-INF/LICENSE", "licence", "META-INF/NOTICE", "notice");

  final Path directory;
  final String version;

  MadeRelease(Path directory, String version) {
    this.directory = directory;
    this.version = version;
    write("unseen", ".pom", parent());
    write("unseen-bom", ".pom", bom("a", "b"));
    for (String name : List.of("a", "b")) {
      String needs = name.equals("a") ? "" : dependency("dev.unseen", "a", "${project.version}");
      write(name, ".pom", child(name, needs));
      jar(name, ".jar", "dev.unseen." + name, with("dev/unseen/%s/A.class".formatted(name)));
      jar(name, "-sources.jar", null, with("dev/unseen/%s/A.java".formatted(name)));
      jar(name, "-javadoc.jar", null, with("index.html"));
      write(name, "-cyclonedx.json", "{}");
      write(name, "-cyclonedx.xml", sbom(name, name.equals("a") ? "" : "a"));
    }
    sum();
  }

  /**
   * Returns the file of an artifact; what is deployed before its release has a time in its name.
   */
  Path file(String artifactId, String ending) {
    String stamp = version.replace("SNAPSHOT", "20261117.120000-1");
    return directory
        .resolve("dev/unseen")
        .resolve(artifactId)
        .resolve(version)
        .resolve(artifactId + "-" + stamp + ending);
  }

  void write(String artifactId, String ending, String text) {
    try {
      Path file = file(artifactId, ending);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void replace(String artifactId, String ending, String from, String to) throws IOException {
    String text = Files.readString(file(artifactId, ending), UTF_8);
    if (!text.contains(from)) {
      throw new IllegalArgumentException("nothing to replace: " + from);
    }
    write(artifactId, ending, text.replace(from, to));
    sum();
  }

  void remove(String artifactId, String ending) throws IOException {
    Files.delete(file(artifactId, ending));
  }

  /** Moves an artifact to another version, in the names of its files and not in its POM. */
  void move(String artifactId, String to) throws IOException {
    Path from = file(artifactId, "").getParent();
    Path target = Files.createDirectories(from.resolveSibling(to));
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.toList()) {
        String name = file.getFileName().toString().replace("-" + version, "-" + to);
        Files.move(file, target.resolve(name));
      }
    }
    Files.delete(from);
  }

  /** Writes a jar, with a name for modules in its manifest unless that is null. */
  void jar(String artifactId, String ending, String module, Map<String, String> entries) {
    Path file = file(artifactId, ending);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (module != null) {
      manifest.getMainAttributes().putValue("Automatic-Module-Name", module);
    }
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Map.Entry<String, String> each : entries.entrySet()) {
        jar.putNextEntry(new ZipEntry(each.getKey()));
        jar.write(each.getValue().getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the licence and one more file. */
  static Map<String, String> with(String entry) {
    Map<String, String> all = new TreeMap<>(FILES);
    all.put(entry, "x");
    return all;
  }

  /** Writes the checksums of all files anew. */
  void sum() {
    for (Path file : files()) {
      try {
        byte[] bytes = Files.readAllBytes(file);
        for (Map.Entry<String, String> each : Map.of("md5", "MD5", "sha1", "SHA-1").entrySet()) {
          Files.writeString(
              file.resolveSibling(file.getFileName() + "." + each.getKey()),
              HexFormat.of().formatHex(MessageDigest.getInstance(each.getValue()).digest(bytes)),
              UTF_8);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns all files that are published for their own sake. */
  List<Path> files() {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(f -> Files.isRegularFile(f) && !Release.isSideFile(f)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String bom(String... names) {
    StringBuilder list = new StringBuilder();
    for (String name : names) {
      list.append(dependency("dev.unseen", name, "${project.version}"));
    }
    return """
    <project>
      <groupId>dev.unseen</groupId>
      <artifactId>unseen-bom</artifactId>
      <version>%s</version>
      <packaging>pom</packaging>
      <name>BOM</name>
      %s
      <dependencyManagement><dependencies>%s</dependencies></dependencyManagement>
    </project>
    """
        .formatted(version, METADATA, list);
  }

  static String dependency(String groupId, String artifactId, String version) {
    return """
    <dependency>
      <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
    </dependency>
    """
        .formatted(groupId, artifactId, version);
  }

  private static final String METADATA =
      """
      <description>What it is.</description>
      <url>https://example.org</url>
      <licenses><license><name>Apache-2.0</name><url>https://example.org/l</url></license></licenses>
      <developers><developer><name>The team</name></developer></developers>
      <scm>
        <connection>scm:git:https://example.org</connection>
        <developerConnection>scm:git:https://example.org</developerConnection>
        <url>https://example.org</url>
      </scm>
      """;

  private String parent() {
    return """
    <project>
      <groupId>dev.unseen</groupId>
      <artifactId>unseen</artifactId>
      <version>%s</version>
      <packaging>pom</packaging>
      <name>Parent</name>
      <properties><other.version>1.0</other.version></properties>
      %s
    </project>
    """
        .formatted(version, METADATA);
  }

  private String child(String name, String dependencies) {
    return """
    <project>
      <parent>
        <groupId>dev.unseen</groupId><artifactId>unseen</artifactId><version>%s</version>
      </parent>
      <artifactId>%s</artifactId>
      <name>Child</name>
      <dependencies>%s</dependencies>
    </project>
    """
        .formatted(version, name, dependencies);
  }

  private String sbom(String name, String component) {
    String components =
        component.isEmpty()
            ? ""
            : "<component><name>%s</name><version>%s</version></component>"
                .formatted(component, version);
    return """
    <bom>
      <metadata><component><name>%s</name><version>%s</version></component></metadata>
      <components>%s</components>
    </bom>
    """
        .formatted(name, version, components);
  }
}
