package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/server.md shows is what happens. Its clients are those of {@link ProgramsTest}. */
class DocumentTest {
  private static final String PROMPT = "127.0.0.1:7379> ";

  /** Returns the lines of the first block of a language. */
  private static List<String> block(String language) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "server.md"), UTF_8);
    int begin = lines.indexOf("```" + language) + 1;
    assertThat(begin).isPositive();
    return lines.subList(begin, begin + lines.subList(begin, lines.size()).indexOf("```"));
  }

  /** Returns the lines of all blocks of a language. */
  private static List<String> blocks(String language) throws IOException {
    List<String> all = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "server.md"), UTF_8)) {
      if (inside && !line.equals("```")) {
        all.add(line);
      }
      inside = line.equals("```" + language) || (inside && !line.equals("```"));
    }
    return all;
  }

  @Test
  void redis_cli_answers_as_the_document_says() throws Exception {
    assumeTrue(Programs.works(Path.of("."), "redis-cli", "--version"), "redis-cli is not here");
    try (TestServer server = new TestServer()) {
      String port = Integer.toString(server.port());
      List<String> block = blocks("redis");
      assertThat(block).hasSizeGreaterThan(8);
      for (int i = 0; i < block.size(); i += 2) {
        assertThat(block.get(i)).startsWith(PROMPT);
        List<String> command = new ArrayList<>(List.of("redis-cli", "--no-raw", "-p", port));
        command.addAll(List.of(block.get(i).substring(PROMPT.length()).split(" ", -1)));
        assertThat(Programs.run(Path.of("."), command.toArray(String[]::new)))
            .as(block.get(i))
            .isEqualTo("0: " + block.get(i + 1));
      }
    }
  }

  @Test
  void python_does_as_the_document_says() throws Exception {
    String python = Programs.anyPython();
    assumeTrue(python != null, "redis-py is not here and cannot be fetched");
    assertThat(script(python, "python", "example.py")).isEqualTo("0: deliver\ncount");
  }

  @Test
  void node_does_as_the_document_says() throws Exception {
    assumeTrue(Programs.hasNode(), "node-redis is not here and cannot be fetched");
    assertThat(script("node", "js", "example.mjs")).isEqualTo("0: deliver");
  }

  @Test
  void go_does_as_the_document_says() throws Exception {
    assumeTrue(Programs.hasGo(), "go, or its client redigo, is not here");
    try (TestServer server = new TestServer()) {
      String text = String.join("\n", block("go"));
      Path file = Programs.HOME.resolve("example.go");
      Files.writeString(file, text.replace("7379", Integer.toString(server.port())), UTF_8);
      assertThat(Programs.runGo(file)).isEqualTo("0: deliver");
      assertThat(Programs.runGo(file)).isEqualTo("0: drop");
    }
  }

  private static String script(String program, String language, String file) throws Exception {
    try (TestServer server = new TestServer()) {
      String text = String.join("\n", block(language));
      Path script = Programs.HOME.resolve(file);
      Files.writeString(script, text.replace("7379", Integer.toString(server.port())), UTF_8);
      return Programs.run(Programs.HOME, program, script.toString());
    }
  }
}
