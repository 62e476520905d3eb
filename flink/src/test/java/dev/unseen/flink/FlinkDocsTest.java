package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The job of docs/flink.md compiles, and does what the page says. */
class FlinkDocsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  void the_job_of_the_page_is_the_one_that_runs_here() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/flink.md"));
    String job =
        Files.readString(ROOT.resolve("flink/src/test/java/dev/unseen/flink/ClickJob.java"));
    String shown =
        job.replace("package dev.unseen.flink;\n\n", "")
            .replace(
                "import dev.unseen.filter.Window;\n",
                "import dev.unseen.filter.Window;\nimport dev.unseen.flink.UnseenDeduplication;\n");
    assertThat(page).contains("```java\n" + shown + "```");
  }

  @Test
  void it_lets_each_click_through_once() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      ClickJob.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().filter(line -> line.contains("click-"))).hasSize(1000);
    assertThat(text.lines().filter(line -> line.startsWith("again"))).hasSize(300);
  }
}
