package dev.unseen.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.PagePrograms;
import dev.unseen.testing.PagePrograms.Program;
import dev.unseen.testing.UnseenProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/java-recipes.md that needs a server prints what stands below it. */
class RecipesDocTest {
  @TempDir Path directory;

  @Test
  void several_instances_share_keys_as_the_page_shows() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Program program =
        PagePrograms.of(Path.of(System.getProperty("basedir", "."), "../docs/java-recipes.md"))
            .stream()
            .filter(each -> each.name().equals("SharedOrders"))
            .findFirst()
            .orElseThrow();
    try (UnseenProcess server = new UnseenProcess(data)) {
      Map<String, String> environment = Map.of("UNSEEN_URI", "redis://127.0.0.1:" + server.port());
      assertThat(program.run(directory, System.getProperty("java.class.path"), environment))
          .isEqualTo(program.outputs());
    }
  }
}
