package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last chapter of docs/tutorial.md; the command line's tests run all others. */
class TutorialTest {
  private static final String PROMPT = "127.0.0.1:7379> ";

  @Test
  void the_server_answers_as_the_tutorial_says() throws Exception {
    assumeTrue(Programs.works(Path.of("."), "redis-cli", "--version"), "redis-cli is not here");
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "tutorial.md"), UTF_8);
    int begin = lines.indexOf("```redis") + 1;
    assertThat(begin).isPositive();
    try (TestServer server = new TestServer()) {
      String cli = "redis-cli --no-raw -p " + server.port() + " ";
      for (int i = begin; !lines.get(i).equals("```"); i += 2) {
        assertThat(lines.get(i)).startsWith(PROMPT);
        String command = cli + lines.get(i).substring(PROMPT.length());
        assertThat(Programs.run(Path.of("."), command.split(" ", -1)))
            .as(command)
            .isEqualTo("0: " + lines.get(i + 1));
      }
    }
  }
}
