package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lab is on the class path here, as the compiler sees it, so nothing else would tell. */
class LabSeamTest {
  @Test
  void no_class_of_the_command_uses_one_of_the_lab() throws Exception {
    Path classes = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    assertThat(files).hasSizeGreaterThan(40).noneMatch(LabSeamTest::namesTheLab);
  }

  /** Constants of a class file name other classes in plain bytes. */
  private static boolean namesTheLab(Path file) {
    try {
      return Files.readString(file, ISO_8859_1).contains("dev/unseen/lab/");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
