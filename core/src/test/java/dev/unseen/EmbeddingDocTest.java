package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.PagePrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of docs/embedding.md: each is compiled as it stands, run as a process of its own in
 * the order of the page, and prints what stands below it.
 */
final class EmbeddingDocTest {
  @TempDir private Path dir;

  @Test
  void every_program_compiles_and_prints_what_the_page_shows() throws Exception {
    List<PagePrograms.Program> programs =
        PagePrograms.of(Path.of(System.getProperty("basedir", "."), "../docs/embedding.md"));
    for (PagePrograms.Program program : programs) {
      assertThat(program.run(dir, classPath(), Map.of()))
          .as(program.name())
          .isEqualTo(program.outputs());
    }
    assertThat(programs)
        .extracting(PagePrograms.Program::name)
        .containsExactly(
            "ThroughStream",
            "IdempotentHandler",
            "SaveToStream",
            "WriteShards",
            "ReadShards",
            "InjectedClock",
            "ConfiguredOptions");
  }

  private static String classPath() throws Exception {
    return Path.of(Deduplicator.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }
}
