package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the documents show is what happens: every {@code console} block is run, command by command,
 * and prints what stands below it. Only times and rates may differ.
 */
final class DocsIT {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").toAbsolutePath().normalize();

  /** The seconds and rate of a summary, and a rate at the end of a line of a table. */
  private static final Pattern SPEED =
      Pattern.compile("in [0-9.]+ s \\([0-9.]+[ kM]*/s\\)| +[0-9.]+$", Pattern.MULTILINE);

  record Example(String document, String command, String expected) {}

  static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (Path file : documents()) {
      collect(ROOT.relativize(file).toString(), Files.readAllLines(file), examples);
    }
    return examples;
  }

  /**
   * Returns the documents of the root and below docs, but not what other modules make meanwhile.
   */
  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            Path path = ROOT.relativize(directory);
            boolean wanted = path.toString().isEmpty() || path.startsWith("docs");
            return wanted && !path.startsWith(Path.of("docs", "site"))
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              documents.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    documents.sort(Comparator.naturalOrder());
    return documents;
  }

  private static void collect(String document, List<String> lines, List<Example> examples) {
    boolean inside = false;
    String command = null;
    StringBuilder expected = new StringBuilder();
    for (String line : lines) {
      if (inside && (line.startsWith("$ ") || line.equals("```")) && command != null) {
        examples.add(new Example(document, command, expected.toString()));
        command = null;
        expected.setLength(0);
      }
      if (line.startsWith("```")) {
        inside = line.equals("```console");
      } else if (inside && line.startsWith("$ ")) {
        command = line.substring(2);
      } else if (inside && command != null) {
        expected.append(line).append('\n');
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void prints_what_the_document_shows(Example example) {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", example.command()).directory(ROOT.toFile());
    boolean computes = example.command().contains("./unseen lab"); // for long
    Run run = Run.of(new byte[0], computes ? Run.plain(shell) : Run.quick(shell));
    String actual = run.text() + run.stderr();
    assertThat(withoutSpeed(actual)).isEqualTo(withoutSpeed(example.expected()));
  }

  private static String withoutSpeed(String text) {
    return SPEED.matcher(text).replaceAll("");
  }

  @Test
  void the_readme_shows_the_main_command() throws IOException {
    assertThat(examples())
        .anyMatch(e -> e.document().equals("README.md") && e.command().contains("| ./unseen "));
  }

  /** The Java of both front pages is part of a test, word for word. */
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/README.md"})
  void the_java_of_the_front_page_is_tested(String page) throws IOException {
    assertThat(words(read("core/src/test/java/dev/unseen/DeduplicatorTest.java")))
        .contains(words(javaOf(page)));
  }

  @Test
  void the_tutorial_shows_the_program_that_it_runs() throws IOException {
    assertThat(javaOf("docs/tutorial.md")).isEqualTo(read("docs/tutorial/Resume.java"));
  }

  /** Returns the first block of Java in a document. */
  private static String javaOf(String document) throws IOException {
    String text = read(document);
    int start = text.indexOf("```java\n") + "```java\n".length();
    return text.substring(start, text.indexOf("```", start));
  }

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file), UTF_8);
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
