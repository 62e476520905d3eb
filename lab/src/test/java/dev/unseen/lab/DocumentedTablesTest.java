package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables in the documents are those of the measured CSV files beside them. If one fails after a
 * new measurement, its message contains the rows that belong into the document.
 */
final class DocumentedTablesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path DECISION = DOCS.resolve("decisions/0029-two-lines-per-key.md");

  private static List<Map<String, String>> csv(String file) throws IOException {
    List<List<String>> lines =
        Files.readAllLines(DOCS.resolve(file)).stream().map(DocumentedTablesTest::fields).toList();
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < line.size(); i++) {
        row.put(lines.get(0).get(i), line.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Splits a line; the first field can be in quotes. */
  private static List<String> fields(String line) {
    int quote = line.startsWith("\"") ? line.indexOf('"', 1) : -1;
    List<String> fields = new ArrayList<>();
    if (quote > 0) {
      fields.add(line.substring(1, quote));
    }
    fields.addAll(List.of(line.substring(quote > 0 ? quote + 2 : 0).split(",", -1)));
    return fields;
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.get(column));
  }

  /** Returns a rate in percent: three digits that count, and no more than three decimals. */
  private static String percent(double rate) {
    return String.format(Locale.ROOT, "%." + decimals(rate) + "f", 100 * rate);
  }

  private static int decimals(double rate) {
    return rate >= 0.1 ? 1 : rate >= 0.01 ? 2 : 3;
  }

  private static String withDeviation(Map<String, String> row) {
    double fnr = number(row, "fnr");
    String deviation =
        String.format(Locale.ROOT, "%." + decimals(fnr) + "f", 100 * number(row, "fnr_sd"));
    return percent(fnr) + " ± " + deviation;
  }

  private static String change(double ratio) {
    return String.format(Locale.ROOT, "%+.0f %%", 100 * (ratio - 1));
  }

  private static String rate(Map<String, String> row) {
    return number(row, "max_fpr") == 1e-3 ? "1e-3" : "1e-4";
  }

  private static void contains(Path document, List<String> rows) throws IOException {
    assertThat(Files.readAllLines(document))
        .as("%s; the measured rows are:%n%s%n", document, String.join("\n", rows))
        .containsSequence(rows);
  }

  @Test
  void keys_that_come_twice() throws IOException {
    List<String> rows = new ArrayList<>();
    for (Map<String, String> row : csv("recency/twice.csv")) {
      rows.add(
          "| %.0f | %s | %s %% |"
              .formatted(number(row, "bits_per_key"), rate(row), withDeviation(row)));
    }
    contains(DECISION, rows);
  }

  @Test
  void steady_windows() throws IOException {
    List<String> rows = new ArrayList<>();
    for (Map<String, String> row : csv("recency/window.csv")) {
      double early = number(row, "fnr");
      double keys = (number(row, "records") - number(row, "distinct")) * number(row, "seeds");
      rows.add(
          String.format(
              Locale.ROOT,
              "| %.2f | %s |",
              number(row, "bits_per_key") / Byte.SIZE,
              early == 0
                  ? String.format(Locale.ROOT, "none of %.1f million", keys / 1e6)
                  : String.format(Locale.ROOT, "1 in %,d", Math.round(1 / early / 100) * 100)));
    }
    contains(DECISION, rows);
  }

  @Test
  void loops() throws IOException {
    List<String> rows = new ArrayList<>();
    for (Map<String, String> row : csv("recency/loops.csv")) {
      double passes = number(row, "records") / number(row, "distinct");
      rows.add("| %.0f | %s | %s %% |".formatted(passes, rate(row), withDeviation(row)));
    }
    contains(DECISION, rows);
  }

  @Test
  void rare_duplicates_with_keys_that_are_kept_at_first_and_replaced_at_first() throws IOException {
    List<Map<String, String>> keeping = csv("recency/keeping/rare.csv");
    List<Map<String, String>> replacing = csv("recency/rare.csv");
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < replacing.size(); i++) {
      String[] stream = replacing.get(i).get("stream").split(":", -1);
      assertThat(cell(keeping.get(i))).isEqualTo(cell(replacing.get(i)));
      rows.add(
          String.format(
              Locale.ROOT,
              "| %s | %s %% | %s | %s %% | %s %% |",
              rate(replacing.get(i)),
              BigDecimal.valueOf(100 * Double.parseDouble(stream[1]))
                  .stripTrailingZeros()
                  .toPlainString(),
              stream[2],
              withDeviation(keeping.get(i)),
              withDeviation(replacing.get(i))));
    }
    assertThat(rows).hasSize(7);
    contains(DECISION, rows);
  }

  @Test
  void passes_of_a_loop_with_keys_that_are_kept_at_first_and_replaced_at_first()
      throws IOException {
    Map<String, StringBuilder> rows = new LinkedHashMap<>();
    for (String file : List.of("recency/keeping/passes.csv", "recency/passes.csv")) {
      for (Map<String, String> row : csv(file)) {
        if (row.get("stream").matches("loop pass [236]")) {
          String bits = "%.0f".formatted(number(row, "bits_per_key"));
          rows.computeIfAbsent(bits, any -> new StringBuilder("| " + bits + " |"))
              .append(" ")
              .append(percent(number(row, "fnr")))
              .append(" |");
        }
      }
    }
    assertThat(rows).hasSize(6);
    contains(DECISION, rows.values().stream().map(StringBuilder::toString).toList());
  }

  @Test
  void real_streams_with_one_line_and_with_two() throws IOException {
    Map<String, Double> before = new HashMap<>();
    for (Map<String, String> row : csv("recency/one-line.csv")) {
      before.put(cell(row), number(row, "fnr"));
    }
    List<Map<String, String>> after = csv("recency/traces.csv");
    for (String rate : List.of("1e-3", "1e-4")) {
      Map<String, StringBuilder> rows = new LinkedHashMap<>();
      StringBuilder mean = new StringBuilder("| mean |");
      for (int bits : new int[] {4, 8, 12}) {
        List<Double> ratios = new ArrayList<>();
        for (Map<String, String> row : after) {
          boolean wanted = number(row, "max_fpr") == Double.parseDouble(rate);
          if (wanted && number(row, "bits_per_key") == bits) {
            double old = before.get(cell(row));
            ratios.add(number(row, "fnr") / old);
            rows.computeIfAbsent(row.get("stream"), name -> new StringBuilder("| " + name + " |"))
                .append(" %s | %s | ".formatted(percent(old), withDeviation(row)))
                .append(change(number(row, "fnr") / old))
                .append(" |");
          }
        }
        assertThat(ratios).hasSize(9);
        double average = ratios.stream().mapToDouble(ratio -> ratio).average().orElseThrow();
        mean.append(" | | ").append(change(average)).append(" |");
      }
      contains(
          DECISION,
          Stream.concat(rows.values().stream(), Stream.of(mean))
              .map(StringBuilder::toString)
              .toList());
    }
  }

  private static String cell(Map<String, String> row) {
    return row.get("stream") + " " + number(row, "bits_per_key") + " " + number(row, "max_fpr");
  }

  @Test
  void the_rate_is_kept_on_a_hundred_million_new_keys() throws IOException {
    Map<String, String> row = csv("recency/fpr.csv").get(0);
    assertThat(number(row, "records")).isEqualTo(1e8);
    assertThat(number(row, "worst_fpr")).isLessThanOrEqualTo(number(row, "max_fpr"));
    assertThat(DECISION)
        .content()
        .contains(String.format(Locale.ROOT, "an FPR of %.2e", number(row, "fpr")));
  }

  @Test
  void nine_real_streams_on_the_frontier() throws IOException {
    List<Map<String, String>> all = csv("frontier/nine/frontier.csv");
    List<String> rivals = List.of("setSLRU", "qfCLOCK", "CLOCK-38", "Rolling Bloom");
    for (int bits : new int[] {4, 8}) {
      List<String> rows = new ArrayList<>();
      for (String stream : all.stream().map(row -> row.get("stream")).distinct().toList()) {
        List<Map<String, String>> here =
            all.stream()
                .filter(row -> row.get("stream").equals(stream))
                .filter(row -> Math.round(number(row, "bits_per_key")) == bits)
                .toList();
        Map<String, String> byDefault =
            here.stream()
                .filter(row -> row.get("default_for").equals("0.001"))
                .findFirst()
                .orElseThrow();
        String name = stream.replaceFirst("\\.(trace|txt|int64be)\\.xz", "");
        rows.add(
            "| %s | %s | %s | %s |"
                .formatted(
                    name,
                    withDeviation(byDefault),
                    best(here, "RECENCY").map(DocumentedTablesTest::withDeviation).orElse("-"),
                    rivals.stream()
                        .map(rival -> best(here, rival).map(r -> percent(number(r, "fnr"))))
                        .map(cell -> cell.orElse("-"))
                        .collect(Collectors.joining(" | "))));
      }
      assertThat(rows).hasSize(9);
      contains(DOCS.resolve("frontier/README.md"), rows);
    }
  }

  @Test
  void four_real_traces_on_the_frontier() throws IOException {
    List<Map<String, String>> all = csv("frontier/traces/frontier.csv");
    List<String> rows = new ArrayList<>();
    for (int bits : new int[] {16, 8, 4, 2}) {
      for (String stream : List.of("web12", "web07", "orm-busy", "orm-night")) {
        List<Map<String, String>> here =
            all.stream()
                .filter(row -> row.get("stream").equals(stream + ".trace.xz"))
                .filter(row -> Math.round(number(row, "bits_per_key")) == bits)
                .toList();
        double byDefault =
            here.stream()
                .filter(row -> row.get("default_for").equals("0.001"))
                .mapToDouble(row -> number(row, "fnr"))
                .findFirst()
                .orElseThrow();
        double ours = leastFnr(here, "RECENCY");
        double paper =
            Stream.of("SBF", "RSBF", "BSBF", "BSBFSD", "RLBSBF")
                .mapToDouble(family -> leastFnr(here, family))
                .min()
                .orElseThrow();
        double cuckoo = leastFnr(here, "Cuckoo");
        rows.add(
            Stream.of(
                    stream,
                    Integer.toString(bits),
                    shortPercent(byDefault),
                    shortPercent(ours),
                    shortPercent(paper),
                    ratio(ours, paper),
                    shortPercent(leastFnr(here, "A2")),
                    shortPercent(cuckoo),
                    ratio(ours, cuckoo))
                .collect(Collectors.joining(" | ", "| ", " |")));
      }
    }
    contains(
        DOCS.resolve("frontier/README.md"),
        rows.stream().map(row -> row.replace(" |  |", " | |")).toList());
  }

  private static double leastFnr(List<Map<String, String>> rows, String family) {
    return best(rows, family).map(row -> number(row, "fnr")).orElse(1.0);
  }

  private static String ratio(double fnr, double other) {
    return other == 0 ? "" : String.format(Locale.ROOT, "%.2f", fnr / other);
  }

  /** Returns a rate in percent with its sign: three digits that count, two of a small one. */
  private static String shortPercent(double rate) {
    double percent = 100 * rate;
    if (percent == 0) {
      return "0";
    }
    int decimals = percent >= 10 ? 1 : percent >= 0.1 ? 2 : percent >= 0.01 ? 3 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f %%", percent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sums", "convergence", "framework", "without-threshold", "phases"})
  void the_paper_s_theory(String table) throws IOException {
    List<String> lines = Files.readAllLines(DOCS.resolve("theory/" + table + ".csv"));
    List<String> rows = lines.stream().skip(1).map(DocumentedTablesTest::row).toList();
    contains(DOCS.resolve("theory.md"), rows);
  }

  private static String row(String csv) {
    return "| " + String.join(" | ", csv.split(",", -1)) + " |";
  }

  @Test
  void the_paper_s_x_and_the_measured_one() throws IOException {
    Map<String, String> rows = new LinkedHashMap<>();
    for (Map<String, String> row : csv("theory/theory.csv")) {
      String at = String.format(Locale.ROOT, "%.1f", number(row, "records_per_bit"));
      String cell = "%s / %s |".formatted(row.get("paper"), row.get("measured"));
      rows.merge(at, "| " + at + " | " + cell, (line, next) -> line + " " + cell);
    }
    List<String> shown = List.of("1.0", "3.2", "10.0", "31.6", "100.0", "316.2");
    contains(DOCS.resolve("theory.md"), shown.stream().map(rows::get).toList());
  }

  @Test
  void the_load_of_sbf_settles_first_in_the_paper_s_tables() throws IOException {
    Map<String, Map<String, Integer>> columns = new LinkedHashMap<>();
    for (Map<String, String> row : csv("reproduction/scale-10/convergence.csv")) {
      if (row.get("table").matches("(1B|695M):.*")) {
        columns
            .computeIfAbsent(
                row.get("table") + " | " + row.get("memory_mb") + " MB", any -> new HashMap<>())
            .put(row.get("algorithm"), Integer.valueOf(row.get("million_records")));
      }
    }
    assertThat(columns).hasSize(24);
    List<String> filters = List.of("SBF", "RSBF", "BSBF", "BSBFSD", "RLBSBF");
    List<String> rows = new ArrayList<>();
    int printedFirst = 0;
    for (var column : columns.entrySet()) {
      Map<String, Integer> records = column.getValue();
      List<String> fastest =
          filters.stream().sorted(Comparator.comparing(records::get)).limit(2).toList();
      assertThat(fastest).as(column.getKey()).containsExactly("SBF", "RSBF");
      printedFirst += records.get("RSBF as printed") < records.get("SBF") ? 1 : 0;
      if (column.getKey().startsWith("1B")) {
        rows.add(
            Stream.concat(filters.stream(), Stream.of("RSBF as printed"))
                .map(name -> records.get(name).toString())
                .collect(Collectors.joining(" | ", "| " + column.getKey() + " | ", " |")));
      }
    }
    Path document = DOCS.resolve("reproduction/README.md");
    contains(document, rows);
    assertThat(document).content().contains("faster than SBF in " + printedFirst + " of the 24");
  }

  @Test
  void the_fnr_within_parts_of_the_paper_s_streams() throws IOException {
    List<String> runs = Files.readAllLines(DOCS.resolve("reproduction/scale-10/runs.jsonl"));
    List<String> rows = new ArrayList<>();
    for (String kind : List.of("SBF", "RSBF_MEASURED", "BSBF", "BSBFSD", "RLBSBF")) {
      StringBuilder row = new StringBuilder("| " + kind.replace("_MEASURED", "") + " |");
      for (String distinct : List.of("15000000", "60000000")) {
        Pattern run =
            Pattern.compile(
                ".*records=100000000 distinct=%s .*kind=%s, memoryBytes=2684354\\d, hashes=2,.*"
                    .formatted(distinct, kind));
        List<String> found = runs.stream().filter(run.asMatchPredicate()).toList();
        assertThat(found).as(run.pattern()).hasSize(1);
        long duplicates = 0;
        long missed = 0;
        for (String end : List.of("10000000", "30000000", "50000000", "100000000")) {
          Matcher tally =
              Pattern.compile("\\[%s,(\\d+),\\d+,(\\d+),".formatted(end)).matcher(found.get(0));
          assertThat(tally.find()).as(end).isTrue();
          long duplicatesThen = Long.parseLong(end) - Long.parseLong(tally.group(1));
          long missedThen = Long.parseLong(tally.group(2));
          double fnr = (double) (missedThen - missed) / (duplicatesThen - duplicates);
          row.append(String.format(Locale.ROOT, " %.2f |", 100 * fnr));
          duplicates = duplicatesThen;
          missed = missedThen;
        }
      }
      rows.add(row.toString());
    }
    contains(DOCS.resolve("reproduction/README.md"), rows);
  }

  private static Optional<Map<String, String>> best(List<Map<String, String>> rows, String family) {
    return rows.stream()
        .filter(row -> row.get("family").equals(family) && number(row, "fpr") <= 1e-3)
        .min(Comparator.comparingDouble(row -> number(row, "fnr")));
  }
}
