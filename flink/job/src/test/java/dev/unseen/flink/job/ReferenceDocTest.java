package dev.unseen.flink.job;

import dev.unseen.testing.OptionTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/reference.md lists the options of the command. */
final class ReferenceDocTest {
  @Test
  void of_the_command() throws IOException {
    OptionTable.check(
        Path.of("..", "..", "docs", "reference.md"), "unseen flink", JobArguments.spec());
  }
}
