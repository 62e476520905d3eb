package dev.unseen.cli;

import dev.unseen.testing.OptionTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** docs/reference.md lists the options of each command. */
final class ReferenceDocTest {
  private static final Path PAGE = Path.of("..", "docs", "reference.md");
  private static final CommandLine ALL = Commands.all();

  @Test
  void of_the_main_command() throws IOException {
    OptionTable.check(PAGE, "unseen", ALL.getCommandSpec());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "inspect", "merge"})
  void of_other_commands(String name) throws IOException {
    OptionTable.check(PAGE, "unseen " + name, ALL.getSubcommands().get(name).getCommandSpec());
  }
}
