package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.lab.recency.Measurement;
import dev.unseen.lab.recency.Rises;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecencyCommandTest {
  private static final int FNR = 6;
  private static final int WORST_FPR = 9;

  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  private int recency(String... args) {
    List<String> all = new ArrayList<>(List.of("recency", "-o", directory.toString()));
    all.addAll(Arrays.asList(args));
    return LabCommand.execute(
        new PrintWriter(new StringWriter()), new PrintWriter(err), all.toArray(String[]::new));
  }

  private List<String[]> rows(String name) throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve(name));
    return lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
  }

  @Test
  void keys_that_fit_are_found_again_and_the_rate_is_kept() throws Exception {
    assertThat(recency("-e", "twice", "-e", "loops", "-e", "fpr", "--keys", "20000")).isZero();
    List<String[]> twice = rows("twice.csv");
    assertThat(String.join(",", twice.get(0)))
        .startsWith("loop:40000:20000,40000,20000,24.0,1.0E-4,3,");
    assertThat(Double.parseDouble(twice.get(0)[FNR])).isLessThan(0.001);
    assertThat(rows("loops.csv")).hasSize(6);
    // 2 million new keys: 200 false positives are allowed, and five standard errors.
    String[] fpr = rows("fpr.csv").get(0);
    assertThat(fpr[2]).isEqualTo("2000000");
    assertThat(Double.parseDouble(fpr[WORST_FPR])).isLessThan(1.4e-4);
    assertThat(directory.resolve("window.csv")).doesNotExist();
  }

  /** About half of the keys fit at 12 bits per key. A filter that replaced them would miss all. */
  @Test
  void a_loop_keeps_its_keys_and_rare_duplicates_are_found() throws Exception {
    assertThat(recency("-e", "passes", "-e", "rare", "--keys", "40000", "--seeds", "1")).isZero();
    List<String[]> passes = rows("passes.csv");
    assertThat(passes).hasSize(6 * 5);
    String[] third = passes.get(5 + 1);
    assertThat(String.join(",", third)).startsWith("loop pass 3,32000,16000,12.0,1.0E-4,1,");
    assertThat(Double.parseDouble(third[FNR])).isBetween(0.4, 0.6);
    List<String[]> rare = rows("rare.csv");
    assertThat(rare).hasSize(7);
    for (String[] row : rare) {
      assertThat(row[0]).startsWith("rare:");
      assertThat(Double.parseDouble(row[FNR])).as(row[0]).isLessThan(0.2);
    }
  }

  @Test
  void a_trace_is_measured_at_every_memory_and_rate() throws Exception {
    Path trace = Files.writeString(directory.resolve("keys.txt"), "a\nb\na\nc\n".repeat(50));
    assertThat(
            recency(
                "-e",
                "traces",
                "--trace",
                trace.toString(),
                "--bits-per-key",
                "200,400",
                "--rates",
                "1e-3",
                "--seeds",
                "2"))
        .isZero();
    assertThat(directory.resolve("traces.csv"))
        .hasContent(
            Measurement.HEADER
                + "\nkeys,200,3,200.0,0.001,2,0.00000000,0.00000000,0.00000000,0.00000000"
                + "\nkeys,200,3,400.0,0.001,2,0.00000000,0.00000000,0.00000000,0.00000000\n");
    assertThat(directory.resolve("rises.csv")).hasContent(Rises.HEADER + "\n");
  }

  @Test
  void the_name_of_a_trace_says_that_its_keys_are_integers() throws Exception {
    Path trace = directory.resolve("ids.int64be");
    Files.write(
        trace, new byte[] {0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 10, 10}); // 10: a line end
    assertThat(recency("-e", "traces", "--trace", trace.toString(), "--seeds", "1")).isZero();
    assertThat(String.join(",", rows("traces.csv").get(0))).startsWith("ids,2,2,");
  }

  @Test
  void a_rise_is_listed_where_more_memory_or_a_higher_rate_lets_more_through() {
    Measurement small = measured(4, 1e-3, 100, 100);
    Measurement large = measured(8, 1e-3, 104, 106);
    Measurement strict = measured(4, 1e-4, 90, 90);
    assertThat(Rises.csv(List.of(small, large, strict)))
        .containsExactly(
            "s,rate,4.0,1.0E-4,4.0,0.001,0.10000000,0.11111111,0.1111,0.0000",
            "s,memory,4.0,0.001,8.0,0.001,0.11111111,0.11666667,0.0500,0.0100");
    assertThat(small.fnrSd()).isZero();
    assertThat(large.fnrSd()).isBetween(0.0015, 0.0016); // 2/900 over the square root of 2
  }

  private static Measurement measured(double bits, double rate, long... falseNegatives) {
    return new Measurement(
        "s",
        bits,
        rate,
        Arrays.stream(falseNegatives).mapToObj(n -> new Tally(1000, 100, 0, n, 0)).toList());
  }

  @Test
  void what_cannot_be_done_is_reported_in_one_line() {
    fails("--seeds (0) must be 1 to 100", "--seeds", "0");
    fails("--keys (10) must be 1000 to 100 million", "--keys", "10");
    fails("experiment 'thrice' is unknown; known: twice, ", "-e", "thrice");
    fails("experiment traces needs --trace", "-e", "traces");
  }

  private void fails(String message, String... args) {
    err.getBuffer().setLength(0);
    assertThat(recency(args)).isEqualTo(2);
    assertThat(err.toString()).startsWith("unseen: ").contains(message).hasLineCount(1);
  }
}
