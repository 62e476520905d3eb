package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditCommandTest {
  @TempDir private Path directory;

  private int run(StringWriter err, String... args) {
    return LabCommand.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), args);
  }

  /**
   * Whether intervals hold is the matter of {@code AuditCoverageTest}; this looks at the file. Of
   * 60 intervals with a coverage of 95 %, fewer than 48 hold in 1 of 10,000 tests with other seeds.
   */
  @Test
  void writes_what_the_intervals_of_each_stream_and_filter_are_worth() throws Exception {
    ByteBuffer keys = ByteBuffer.allocate(4 * 3000);
    for (int i = 0; i < 3000; i++) {
      keys.putInt(i * i % 1009);
    }
    Path trace = directory.resolve("squares.trace");
    Files.write(trace, keys.array());
    StringWriter err = new StringWriter();
    String[] args = {
      "audit",
      "--trace",
      trace.toString(),
      "--records",
      "20000",
      "--keys",
      "300",
      "--runs",
      "2",
      "--samples",
      "30",
      "-o",
      directory.toString()
    };
    assertThat(run(err, args)).as(err.toString()).isZero();
    List<String> lines = Files.readAllLines(directory.resolve("coverage.csv"));
    assertThat(lines).hasSize(1 + 6 * 7 * 2);
    assertThat(lines.get(0)).startsWith("stream,records,distinct,filter,one_in,rate,truth");
    assertThat(lines.get(lines.size() - 1)).startsWith("squares.trace,3000,");
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      assertThat(cells).as(line).hasSize(18);
      assertThat(cells[9]).isEqualTo("60");
      if (!cells[0].equals("squares.trace") && Double.parseDouble(cells[7]) > 20) {
        assertThat(Double.parseDouble(cells[10])).as(line).isGreaterThan(0.8);
      }
    }
  }

  @Test
  void rejects_what_measures_nothing() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "audit", "--keys", "1", "-o", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--keys (1) must be at least 2", "try '");
  }
}
