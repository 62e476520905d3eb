package dev.unseen.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.TestServer;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/server-commands.md describes the commands as they are declared, and its examples hold. */
class CommandsDocTest {
  private static final Path PAGE = Path.of("..", "docs", "server-commands.md");
  private static final String PROMPT = "127.0.0.1:7379> ";
  private static final List<String> HTTP = List.of("POST", "HOST:"); // not for clients

  @Test
  void the_page_describes_the_commands_as_they_are_declared() throws IOException {
    String page = page();
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(PAGE, page, UTF_8);
    }
    assertThat(Files.readString(PAGE, UTF_8))
        .as("run this test with -Ddocs.write=true to write the page")
        .isEqualTo(page);
  }

  @Test
  void each_command_has_a_reply_and_an_example() {
    for (CommandDoc doc : docs()) {
      assertThat(doc.replies()).as(doc.name()).isNotEmpty();
      assertThat(doc.example()).as(doc.name()).isNotEmpty();
    }
  }

  @Test
  void redis_cli_prints_what_the_examples_show(@TempDir Path directory) throws Exception {
    assumeTrue(hasRedisCli(), "redis-cli is not here");
    try (TestServer server =
        new TestServer("--dir", directory + "/data", "--backup-dir", directory + "/backups")) {
      for (CommandDoc doc : docs()) {
        if (doc.name().equals("MONITOR")) {
          continue; // which does not end
        }
        Path input = directory.resolve("input");
        Files.write(
            input,
            doc.example().stream()
                .filter(l -> l.startsWith("> "))
                .map(l -> l.substring(2))
                .toList());
        String expected =
            doc.example().stream()
                .filter(line -> !line.startsWith("> "))
                .map(line -> Pattern.quote(line).replace("...", "\\E.*\\Q"))
                .collect(Collectors.joining("\n"));
        assertThat(redisCli(server.port(), input))
            .as(doc.name())
            .matches(Pattern.compile(expected, Pattern.DOTALL));
      }
    }
  }

  private static boolean hasRedisCli() throws InterruptedException {
    try {
      return new ProcessBuilder("redis-cli", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String redisCli(int port, Path input) throws IOException, InterruptedException {
    Path out = Files.createTempFile("unseen", ".out");
    Process process =
        new ProcessBuilder("redis-cli", "--no-raw", "-p", Integer.toString(port))
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return Files.readString(out, UTF_8).replace("\r", "").stripTrailing();
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  private static List<CommandDoc> docs() {
    return CommandDoc.all().stream().filter(doc -> !HTTP.contains(doc.name())).toList();
  }

  private static String page() {
    List<String> lines = new ArrayList<>();
    lines.add("# Commands of the server");
    lines.add("");
    lines.add(
        "All commands of [`unseen serve`](server.md), in the form of Redis's command pages. `COMMAND DOCS` replies with the same texts. A test generates this page"
            + " from the declarations (`server/src/main/resources/dev/unseen/server/command/commands.txt`) and runs the examples.");
    lines.add("");
    lines.add("Every command can fail with these errors:");
    lines.add("");
    lines.add("| error | when |");
    lines.add("|---|---|");
    lines.add("| `NOAUTH` | the server has `--auth-file`, and the client has not authenticated |");
    lines.add("| `NOPERM` | the user does not have the right that the command needs |");
    lines.add("| `LOADING` | the server loads its filters, or waits as a standby |");
    lines.add("| `ERR wrong number of arguments` | arguments are missing, or there are too many |");
    lines.add(
        "| `MISCONF` | a command that changes something, while the journal cannot be written |");
    lines.add(
        "| `OOM` | filters, keys or reservations would need more memory than `--max-memory` |");
    String group = "";
    for (CommandDoc doc : docs()) {
      if (!doc.group().equals(group)) {
        group = doc.group();
        lines.addAll(List.of("", "## " + group));
      }
      lines.addAll(List.of("", "### " + doc.name(), "", "```", doc.syntax(), "```", ""));
      lines.add(
          "Since %s. Time complexity: %s. Right: `%s`."
              .formatted(
                  ServerCommands.SINCE,
                  doc.complexity(),
                  doc.rights().name().toLowerCase(java.util.Locale.ROOT)));
      lines.addAll(List.of("", doc.text(), ""));
      doc.replies().forEach(reply -> lines.add("- " + reply.replaceFirst("^(\\w+):", "**$1**:")));
      doc.errors().forEach(error -> lines.add("- **Error**: " + error));
      lines.addAll(List.of("", "```text"));
      doc.example().forEach(line -> lines.add(line.replaceFirst("^> ", PROMPT)));
      lines.add("```");
    }
    lines.addAll(List.of("", "## Not offered", ""));
    lines.add("These commands of Redis and RedisBloom are rejected with the reason:");
    lines.addAll(List.of("", "| commands | reason |", "|---|---|"));
    for (List<String> block : CommandDoc.blocks("not-offered.txt")) {
      lines.add("| %s | %s |".formatted(block.get(0), block.get(1)));
    }
    return String.join("\n", lines) + "\n";
  }
}
