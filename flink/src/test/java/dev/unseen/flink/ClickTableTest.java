package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/flink.md says of tables compiles, and does what the page says. */
class ClickTableTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  void the_program_of_the_page_is_the_one_that_runs_here() throws Exception {
    String program =
        Files.readString(ROOT.resolve("flink/src/test/java/dev/unseen/flink/ClickTable.java"));
    String shown =
        program
            .replace("package dev.unseen.flink;\n\n", "")
            .replace(
                "import org.apache.flink.streaming.api.datastream.DataStream;\n",
                "import dev.unseen.flink.UnseenDeduplication;\nimport org.apache.flink.streaming.api.datastream.DataStream;\n");
    assertThat(Files.readString(ROOT.resolve("docs/flink.md")))
        .contains("```java\n" + shown + "```");
  }

  @Test
  @Tag("both-versions")
  void it_counts_each_click_once() {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      ClickTable.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
        .as("the last count: a and b, for 1 and 2")
        .anyMatch(line -> line.replace(" ", "").endsWith("|2|3|"))
        .noneMatch(line -> line.replace(" ", "").endsWith("|3|6|"))
        .hasSizeGreaterThan(4);
  }
}
