package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests and classes that pages name exist. */
final class NamedClassesTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z0-9](?:Test|IT))`");

  /** A class in ARCHITECTURE.md, perhaps with a method: {@code `FilterSpec`}. */
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z0-9])[`.(]");

  @Test
  void each_test_that_a_page_names_exists() throws IOException {
    Set<String> tests = classesIn("src/test/java");
    try (Stream<Path> pages = Files.list(SiteTest.ROOT.resolve("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        assertThat(tests).as("%s", page.getFileName()).containsAll(namedIn(page, NAMED));
      }
    }
  }

  @Test
  void each_class_of_the_architecture_exists() throws IOException {
    Set<String> classes = classesIn("src/main/java");
    classes.addAll(classesIn("src/test/java"));
    assertThat(namedIn(SiteTest.ROOT.resolve("ARCHITECTURE.md"), CLASS))
        .hasSizeGreaterThan(10)
        .isSubsetOf(classes);
  }

  @Test
  void each_guarantee_names_a_test() throws IOException {
    Path page = SiteTest.ROOT.resolve("docs/guarantees.md");
    assertThat(namedIn(page, NAMED)).hasSizeGreaterThan(40);
    assertThat(Files.readString(page, UTF_8).lines())
        .filteredOn(
            line -> line.startsWith("| ") && line.chars().filter(c -> c == '|').count() == 4)
        .filteredOn(line -> !line.endsWith("| shown by |"))
        .allSatisfy(line -> assertThat(NAMED.matcher(line).find()).as(line).isTrue());
  }

  private static Set<String> namedIn(Path page, Pattern pattern) throws IOException {
    return pattern
        .matcher(Files.readString(page, UTF_8))
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the names of all classes in a directory of sources of each module. */
  private static Set<String> classesIn(String sources) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> modules = Files.list(SiteTest.ROOT)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        collect(module.resolve(sources), names);
        collect(module.resolve("job").resolve(sources), names); // of flink
      }
    }
    return names;
  }

  private static void collect(Path directory, Set<String> names) throws IOException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
      }
    }
  }
}
