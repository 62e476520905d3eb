package dev.unseen.testing.release;

import static dev.unseen.testing.release.MadeRelease.dependency;
import static dev.unseen.testing.release.MadeRelease.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every demand is broken once, and the check says which one, of which artifact. */
final class ReleaseCheckTest {
  @TempDir private Path directory;
  private MadeRelease made;

  @BeforeEach
  void make() {
    made = new MadeRelease(directory, "1.0");
  }

  record Result(int exitCode, String out, String err) {}

  private static Result check(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        ReleaseCheck.run(
            List.of(args),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false);
    return new Result(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Test
  void a_release_that_meets_all_demands_is_accepted() {
    Result result = check("--unsigned", directory.toString());
    assertThat(result.out()).contains("4 artifacts, 1.0\n").doesNotContain("FAIL");
    assertThat(result.out().lines().filter(l -> l.startsWith(" ok  "))).hasSize(Demand.ALL.size());
    assertThat(result.out()).endsWith("all %d demands are met\n".formatted(Demand.ALL.size()));
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void a_version_that_is_being_developed_is_checked_too_and_named() {
    Path other = directory.resolve("other");
    MadeRelease snapshot = new MadeRelease(other, "1.0-SNAPSHOT");
    assertThat(snapshot.file("a", ".jar")).hasFileName("a-1.0-20261117.120000-1.jar");
    Result result = check("--unsigned", other.toString());
    assertThat(result.out())
        .doesNotContain("FAIL")
        .contains(" --  a released version: 1.0-SNAPSHOT is not one yet, and Central refuses it\n");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void of_several_deployments_the_last_is_checked() throws IOException {
    Path other = directory.resolve("other");
    MadeRelease snapshot = new MadeRelease(other, "1.0-SNAPSHOT");
    Path first = snapshot.file("a", ".jar");
    Path second = first.resolveSibling(first.getFileName().toString().replace("-1.jar", "-2.jar"));
    Files.writeString(second, "no jar");
    assertThat(Release.read(other).artifact("a").orElseThrow().file(".jar")).contains(second);
  }

  /** What is done to a release, and what the check says about it. */
  record Breach(String demand, String says, Breaking breaking) {
    @Override
    public String toString() {
      return demand + ": " + says;
    }
  }

  /** Breaks a release. */
  @FunctionalInterface
  interface Breaking {
    void breaks(MadeRelease made) throws IOException;
  }

  static Stream<Breach> breaches() {
    return Stream.of(
        new Breach(
            "coordinates are those of the directory",
            "a: the directory says a, the POM c",
            m -> m.replace("a", ".pom", "<artifactId>a<", "<artifactId>c<")),
        new Breach("one version for all", "b: is 1.1, others are 1.0", m -> m.move("b", "1.1")),
        new Breach(
            "POM has a name", "b: no name", m -> m.replace("b", ".pom", "<name>Child</name>", "")),
        new Breach(
            "POM has a description",
            "unseen-bom: no description",
            m -> m.replace("unseen-bom", ".pom", "What it is.", "")),
        new Breach(
            "POM has a url",
            "a: no url",
            m -> m.replace("unseen", ".pom", "<url>https://example.org</url>\n<lic", "<lic")),
        new Breach(
            "POM has a license with name and url",
            "b: no licenses/license/url",
            m -> m.replace("unseen", ".pom", "<url>https://example.org/l</url>", "")),
        new Breach(
            "POM has developers",
            "unseen: no developers/developer/name",
            m -> m.replace("unseen", ".pom", "The team", "")),
        new Breach(
            "POM has scm: connection, developerConnection, url",
            "a: no scm/connection",
            m ->
                m.replace(
                    "unseen", ".pom", "<connection>scm:git:https://example.org<", "<connection><")),
        new Breach(
            "no dependency is a SNAPSHOT",
            "a: depends on org.example:c:2.0-SNAPSHOT",
            m -> {
              m.replace("unseen", ".pom", ">1.0</other.version>", ">2.0-SNAPSHOT</other.version>");
              m.replace(
                  "a",
                  ".pom",
                  "<dependencies>",
                  "<dependencies>" + dependency("org.example", "c", "${other.version}"));
            }),
        new Breach(
            "no dependency is a SNAPSHOT",
            "b: depends on dev.unseen:a:1.0-SNAPSHOT",
            m -> m.replace("b", ".pom", "${project.version}", "1.0-SNAPSHOT")),
        new Breach(
            "all of ours that an artifact needs is here too",
            "b: unseen-testing is not here",
            m -> m.replace("b", ".pom", "<artifactId>a<", "<artifactId>unseen-testing<")),
        new Breach(
            "unseen-bom lists every artifact, and no other",
            "b: unseen-bom does not list it",
            m -> m.write("unseen-bom", ".pom", m.bom("a"))),
        new Breach(
            "unseen-bom lists every artifact, and no other",
            "unseen-bom: lists c, which is not here",
            m -> m.write("unseen-bom", ".pom", m.bom("a", "b", "c"))),
        new Breach(
            "unseen-bom lists every artifact, and no other",
            "unseen-bom: would also manage what unseen manages",
            m ->
                m.replace(
                    "unseen-bom",
                    ".pom",
                    "<project>",
                    "<project><parent><artifactId>unseen</artifactId></parent>")),
        new Breach("jar with classes", "a: no *.jar", m -> m.remove("a", ".jar")),
        new Breach(
            "jar with classes",
            "a: no *.class in *.jar",
            m -> m.jar("a", ".jar", "dev.unseen.a", with("index.html"))),
        new Breach(
            "sources jar with sources", "a: no *-sources.jar", m -> m.remove("a", "-sources.jar")),
        new Breach(
            "sources jar with sources",
            "a: no *.java in *-sources.jar",
            m -> m.jar("a", "-sources.jar", null, MadeRelease.FILES)),
        new Breach(
            "javadoc jar with pages",
            "b: no *index.html in *-javadoc.jar",
            m -> m.jar("b", "-javadoc.jar", null, MadeRelease.FILES)),
        new Breach(
            "LICENSE and NOTICE in each jar",
            "a: no META-INF/NOTICE in *-sources.jar",
            m -> m.jar("a", "-sources.jar", null, Map.of("META-INF/LICENSE", "", "A.java", ""))),
        new Breach(
            "a name on the module path",
            "a: neither a module-info nor an Automatic-Module-Name",
            m -> m.jar("a", ".jar", null, with("dev/unseen/a/A.class"))),
        new Breach(
            "a name on the module path",
            "a: no module for Java: ",
            m -> m.jar("a", ".jar", "${automatic.module.name}", with("dev/unseen/a/A.class"))),
        new Breach(
            "a bill of materials (CycloneDX)",
            "a: no *-cyclonedx.json",
            m -> m.remove("a", "-cyclonedx.json")),
        new Breach(
            "a bill of materials (CycloneDX)",
            "a: it is about b 1.0",
            m -> m.replace("a", "-cyclonedx.xml", "<name>a<", "<name>b<")),
        new Breach(
            "a bill of materials (CycloneDX)",
            "b: a is not in it",
            m -> m.replace("b", "-cyclonedx.xml", "<name>a<", "<name>c<")),
        new Breach(
            "checksums md5 and sha1, which are right",
            "a: no a-1.0.jar.md5",
            m -> m.remove("a", ".jar.md5")),
        new Breach(
            "checksums md5 and sha1, which are right",
            "a: a-1.0.jar.sha1 does not fit its file",
            m -> m.write("a", ".jar.sha1", "0".repeat(40))));
  }

  @ParameterizedTest
  @MethodSource("breaches")
  void what_is_missing_or_wrong_is_refused_by_name(Breach breach) throws IOException {
    breach.breaking().breaks(made);
    Result result = check("--unsigned", directory.toString());
    assertThat(result.out())
        .contains("FAIL " + breach.demand() + "\n")
        .contains("       " + breach.says());
    assertThat(result.out()).endsWith(" of %d demands are not met\n".formatted(Demand.ALL.size()));
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void every_demand_is_broken_by_a_test() {
    assertThat(breaches().map(Breach::demand).distinct())
        .containsExactlyInAnyOrderElementsOf(Demand.ALL.stream().map(Demand::text).toList());
  }

  @Test
  void wrong_arguments_are_refused() {
    assertThat(check()).matches(r -> r.exitCode() == 2 && r.err().startsWith("Usage: "));
    assertThat(check("--what", "x")).matches(r -> r.exitCode() == 2);
    Result absent = check(directory.resolve("absent").toString());
    assertThat(absent.err()).endsWith("absent is no directory\n");
    assertThat(absent.exitCode()).isEqualTo(2);
  }

  @Test
  void a_file_at_a_wrong_place_is_named() throws IOException {
    Path version = made.file("b", ".pom").getParent();
    Files.move(version, version.resolveSibling("1.1"));
    Result result = check(directory.toString());
    assertThat(result.err()).endsWith("b-1.0.pom does not fit its directory\n");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void an_empty_directory_is_no_release() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Result result = check(empty.toString());
    assertThat(result.err()).contains("no POM in");
    assertThat(result.exitCode()).isEqualTo(1);
  }
}
