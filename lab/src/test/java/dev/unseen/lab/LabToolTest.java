package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

final class LabToolTest {
  @Test
  void is_found_by_its_name_and_runs_the_lab() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ToolProvider lab = ToolProvider.findFirst("unseen-lab").orElseThrow();

    int help = lab.run(new PrintWriter(out, true), new PrintWriter(err, true), "--help");
    int nothing = lab.run(new PrintWriter(out, true), new PrintWriter(err, true));

    assertThat(help).isZero();
    assertThat(out.toString()).startsWith("Usage: unseen lab ");
    assertThat(nothing).isEqualTo(2);
    assertThat(err.toString()).startsWith("unseen: a command is missing");
  }
}
