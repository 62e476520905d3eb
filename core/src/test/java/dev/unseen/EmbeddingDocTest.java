package dev.unseen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of docs/embedding.md: each is compiled as it stands, run as a process of its own in
 * the order of the page, and prints what stands below it.
 */
final class EmbeddingDocTest {
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n// (\\w+)\\.java\n(.*?)```\n+```text\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path dir;

  @Test
  void every_program_compiles_and_prints_what_the_page_shows() throws Exception {
    String page =
        Files.readString(Path.of(System.getProperty("basedir", "."), "../docs/embedding.md"));
    List<String> run = new ArrayList<>();
    Matcher program = PROGRAM.matcher(page);
    while (program.find()) {
      String name = program.group(1);
      compile(name, program.group(2));
      assertThat(output(name)).as(name).isEqualTo(program.group(3));
      run.add(name);
    }
    assertThat(run)
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

  private void compile(String name, String code) throws Exception {
    Path source = Files.writeString(dir.resolve(name + ".java"), code);
    int result =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-d",
                dir.toString(),
                "-cp",
                classPath(),
                source.toString());
    assertThat(result).as(name + " compiles").isZero();
  }

  private String output(String name) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(java, "-cp", dir + File.pathSeparator + classPath(), name)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      String output = read(process);
      assertThat(Patience.exitCode(process)).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
