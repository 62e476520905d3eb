package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TheoryCommandTest {
  @TempDir private Path directory;

  /** 2 KiB: the load of 8,192 bits has a standard deviation of at most 0.55 %; here 4 of them. */
  @Test
  void the_filters_do_what_the_model_says_and_not_what_the_paper_says() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        LabCommand.execute(
            new PrintWriter(out),
            new PrintWriter(err),
            "theory",
            "-o",
            directory.toString(),
            "--memory",
            "2K");
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    List<String> lines = Files.readAllLines(directory.resolve("theory.csv"));
    assertThat(lines).hasSize(1 + 4 * 29);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      double model = Double.parseDouble(cells[3]);
      assertThat(Double.parseDouble(cells[4])).as(line).isCloseTo(model, within(0.045));
      boolean settled = Double.parseDouble(cells[1]) > 100;
      if (settled && !cells[0].equals("bsbfsd")) {
        assertThat(Double.parseDouble(cells[2])).as(line).isGreaterThan(model + 0.3);
      }
    }
    assertThat(out.toString())
        .containsPattern("records_per_bit +rsbf +bsbf +bsbfsd +rlbsbf\n")
        .contains("Written to " + directory);
    assertThat(directory.toFile().list())
        .containsExactlyInAnyOrder(
            "theory.csv",
            "theory.svg",
            "sums.csv",
            "convergence.csv",
            "framework.csv",
            "without-threshold.csv",
            "phases.csv");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(directory.resolve("theory.svg").toFile())
                .getElementsByTagName("circle")
                .getLength())
        .isEqualTo(4 * 29 + 1);
  }
}
