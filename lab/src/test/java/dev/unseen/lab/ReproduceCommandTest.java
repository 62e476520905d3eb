package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.lab.paper.PublishedCell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReproduceCommandTest {
  private static final String TABLE = "1B:60distinct";

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int lab(String... args) {
    return LabCommand.execute(new PrintWriter(out), new PrintWriter(err), args);
  }

  private int reproduce(String scale) {
    return lab(
        "reproduce", "--table", TABLE, "--scale", scale, "--seed", "3", "-o", directory.toString());
  }

  @Test
  void writes_a_csv_a_summary_and_a_page_with_every_cell() throws IOException {
    assertThat(reproduce("2000")).isZero();

    List<String> csv = Files.readAllLines(directory.resolve("1B-60distinct.csv"));
    assertThat(csv.get(0))
        .isEqualTo(
            "table,records,distinct_percent,memory_mb,algorithm,k,"
                + "published_fpr,published_fnr,fpr,fnr,fpr_se,fnr_se");
    // 20 cells, and the second readings: RSBF at four memories, SBF at 512 MB.
    assertThat(csv).hasSize(1 + 20 + 5);
    assertThat(csv).filteredOn(row -> row.contains(",RSBF as printed,")).hasSize(4);
    assertThat(csv).filteredOn(row -> row.contains(",SBF without the 31-bit limit,")).hasSize(1);
    for (String row : csv.subList(1, csv.size())) {
      String[] f = row.split(",", -1);
      if (f[4].contains(" ")) {
        continue; // not the reading that was published
      }
      // 6 standard errors beside 3 %: 40 rates, odds below 1e-7 for another seed.
      assertThat(Double.parseDouble(f[8]))
          .as(row)
          .isBetween(published(f, 6, 10, -1), published(f, 6, 10, 1));
      assertThat(Double.parseDouble(f[9]))
          .as(row)
          .isBetween(published(f, 7, 11, -1), published(f, 7, 11, 1));
    }
    assertThat(directory.resolve("summary.md"))
        .content()
        .contains("## 1B:60distinct")
        .contains("of 20 cells within 2 %")
        .contains("--table 1B:60distinct --scale 2000 --seed 3");
    assertThat(directory.resolve("index.html"))
        .content()
        .contains("rates-1B-60distinct-512")
        .contains("RSBF as measured is not RSBF as printed");
    assertThat(out.toString()).contains("The largest deviations, worst first:");
    assertThat(err.toString()).contains("29 of 29 runs");
    assertThat(Files.readAllLines(directory.resolve("convergence.csv")))
        .hasSize(1 + 20 + 4 + 1); // RSBF is run in two readings, as is SBF at 512 MB
    try (var files = Files.list(directory)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "1B-60distinct.csv", "convergence.csv", "summary.md", "index.html", "runs.jsonl");
    }
  }

  private static double published(String[] f, int rate, int error, int sign) {
    double p = Double.parseDouble(f[rate]);
    return p + sign * (0.03 * p + 6 * Double.parseDouble(f[error]));
  }

  @Test
  void goes_on_where_it_was_interrupted_and_ends_with_the_same_figures() throws IOException {
    assertThat(reproduce("10000")).isZero();
    String whole = Files.readString(directory.resolve("1B-60distinct.csv"));
    Path runs = directory.resolve("runs.jsonl");
    List<String> lines = Files.readAllLines(runs);
    // Ten runs were finished; the eleventh was being written when the process died.
    String cut = String.join("\n", lines.subList(0, 10)) + "\n" + lines.get(10).substring(0, 40);
    Files.writeString(runs, cut);
    Files.delete(directory.resolve("1B-60distinct.csv"));

    assertThat(reproduce("10000")).isZero();
    assertThat(err.toString()).contains("10 of 29 runs were finished already");
    assertThat(directory.resolve("1B-60distinct.csv")).hasContent(whole);
    assertThat(runs).content().isEqualTo(String.join("\n", Files.readAllLines(runs)) + "\n");
    assertThat(Files.readAllLines(runs)).hasSize(29);
  }

  @Test
  void a_damaged_log_is_told_and_left_alone() throws IOException {
    Path runs = Files.writeString(directory.resolve("runs.jsonl"), "not a run\n");
    assertThat(reproduce("10000")).isEqualTo(1);
    assertThat(err.toString()).contains("runs.jsonl is damaged").contains("delete it");
    assertThat(runs).hasContent("not a run\n");
    assertThat(directory.resolve("1B-60distinct.csv")).doesNotExist();
  }

  @Test
  void an_unknown_table_is_rejected_with_the_known_ones() {
    assertThat(lab("reproduce", "--table", "2B:1distinct", "-o", directory.toString()))
        .isEqualTo(2);
    assertThat(err.toString())
        .startsWith("unseen: table '2B:1distinct' is unknown; known: ")
        .contains(PublishedCell.tables())
        .doesNotContain("Exception");
  }

  @Test
  void an_output_that_cannot_be_written_is_told_before_anything_runs() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThat(lab("reproduce", "-o", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .contains(file.toString())
        .doesNotContain("Exception")
        .hasLineCount(1);
    assertThat(lab("reproduce", "-o", "/proc/nowhere")).isEqualTo(1);
  }

  /** Of an even number of cells, the median is the mean of the two in the middle. */
  @Test
  void the_page_shows_the_median_that_the_console_prints() throws IOException {
    assertThat(reproduce("10000")).isZero();
    String printed = first("median deviation ([0-9.]+) %", out.toString());
    String page = Files.readString(directory.resolve("index.html"));
    double shown = Double.parseDouble(first("\"medianDeviation\":([0-9.]+)", page));
    assertThat(String.format(Locale.ROOT, "%.2f", shown)).isEqualTo(printed);
    assertThat(Files.readString(directory.resolve("summary.md")))
        .contains("median deviation " + printed + " %");
    List<Double> worse = new ArrayList<>();
    for (String row : Files.readAllLines(directory.resolve("1B-60distinct.csv"))) {
      String[] f = row.split(",", -1);
      if (!f[4].contains(" ") && !f[4].equals("algorithm")) {
        worse.add(Math.max(deviation(f, 6, 8), deviation(f, 7, 9)));
      }
    }
    Collections.sort(worse);
    assertThat(worse).hasSize(20);
    assertThat(shown).isCloseTo((worse.get(9) + worse.get(10)) / 2, within(0.01));
  }

  private static double deviation(String[] f, int published, int measured) {
    double p = Double.parseDouble(f[published]);
    return 100 * Math.abs(Double.parseDouble(f[measured]) - p) / p;
  }

  private static String first(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }

  @Test
  void the_help_lists_the_tables_and_the_default_directory() {
    assertThat(lab("reproduce", "--help")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains(PublishedCell.tables())
        .contains("Default: out/reproduction.");
  }

  @Test
  void bad_numbers_are_usage_errors() {
    assertThat(lab("reproduce", "--scale", "0")).isEqualTo(2); // no option is required
    assertThat(lab("reproduce", "--scale", "0", "-o", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("scale (0) must be 1 to 10000");
    assertThat(lab("reproduce", "--threads", "0", "-o", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("threads (0) must be 1 to 256");
    assertThat(lab("reproduce", "--scale", "many", "-o", directory.toString())).isEqualTo(2);
    assertThat(lab()).isEqualTo(2);
    assertThat(lab("frobnicate")).isEqualTo(2);
    assertThat(err.toString()).doesNotContain("Exception").contains("--help");
  }

  @Test
  void all_nine_tables_are_known_with_all_their_cells() {
    assertThat(PublishedCell.tables()).hasSize(9);
    assertThat(PublishedCell.all()).hasSize(165);
  }
}
