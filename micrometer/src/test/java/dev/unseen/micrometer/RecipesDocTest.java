package dev.unseen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.testing.PagePrograms;
import dev.unseen.testing.PagePrograms.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of docs/java-recipes.md: each is compiled as it stands, run as a process of its own,
 * and prints what stands below it. They are here, because the complete service uses Micrometer.
 */
class RecipesDocTest {
  @TempDir Path directory;

  /** Returns the programs of the page, but the one that needs a server, which client runs. */
  static List<Program> programs() throws IOException {
    return PagePrograms.of(Path.of(System.getProperty("basedir", "."), "../docs/java-recipes.md"))
        .stream()
        .filter(program -> !program.name().equals("SharedOrders"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void every_program_compiles_and_prints_what_the_page_shows(Program program) throws Exception {
    assumeTrue(
        program.home().isPresent(),
        () -> "%s needs a JDK %d in /usr/lib/jvm".formatted(program.name(), program.java()));
    assertThat(program.run(directory, System.getProperty("java.class.path"), Map.of()))
        .isEqualTo(program.outputs());
  }

  @Test
  void no_program_is_missing() throws IOException {
    assertThat(programs())
        .extracting(Program::name)
        .containsExactly(
            "OrderService",
            "SecondOpinion",
            "WithReactor",
            "WithRxJava",
            "WithVirtualThreads",
            "WithGatherers",
            "FromGuava",
            "FromCaffeine");
  }
}
