package dev.unseen.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/operating.md has all exit codes. */
final class OperatingDocTest {
  @Test
  void the_page_says_what_to_do_for_each_exit_code() throws IllegalAccessException {
    int codes = 0;
    for (Field field : CliException.class.getFields()) {
      if (field.getType() == int.class) {
        codes++;
        assertThat(Path.of("..", "docs", "operating.md"))
            .content()
            .contains("| %d |".formatted(field.getInt(null)));
      }
    }
    assertThat(codes).isEqualTo(5);
  }
}
