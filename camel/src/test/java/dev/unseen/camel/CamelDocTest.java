package dev.unseen.camel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.PagePrograms;
import dev.unseen.testing.PagePrograms.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/camel.md prints what stands below it, and again after a restart. */
class CamelDocTest {
  @TempDir Path directory;

  @Test
  void the_program_compiles_and_prints_what_the_page_shows() throws Exception {
    List<Program> programs =
        PagePrograms.of(Path.of(System.getProperty("basedir", "."), "../docs/camel.md"));
    assertThat(programs).extracting(Program::name).containsExactly("OrderRoute");
    Program program = programs.get(0);
    assertThat(program.run(directory, System.getProperty("java.class.path"), Map.of()))
        .isEqualTo(program.outputs());
  }
}
