package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.lab.rival.ContestantFamily;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FrontierCommandTest {
  private static final int FAMILY = 6;
  private static final int PARAMETERS = 8;
  private static final int FPR = 9;
  private static final int FNR = 10;
  private static final int FALSE_POSITIVES = 13;
  private static final int FALSE_NEGATIVES = 14;
  private static final int ON_FRONTIER = 15;
  private static final int FNR_SD = 16;
  private static final int DEFAULT_FOR = 17;

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int frontier(String... args) {
    List<String> all = new ArrayList<>(List.of("frontier", "-o", directory.toString()));
    all.addAll(Arrays.asList(args));
    return LabCommand.execute(
        new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static String web12() throws URISyntaxException {
    return Path.of(FrontierCommandTest.class.getResource("traces/web12.trace.xz").toURI())
        .toString();
  }

  private List<String[]> rows() throws IOException {
    return Files.readAllLines(directory.resolve("frontier.csv")).stream()
        .skip(1)
        .map(row -> row.split(",", -1))
        .toList();
  }

  @Test
  void runs_every_family_on_a_real_trace_and_marks_the_frontier() throws Exception {
    assertThat(frontier("--trace", web12(), "--memory", "8K", "--repeats", "1")).isZero();

    List<String> csv = Files.readAllLines(directory.resolve("frontier.csv"));
    assertThat(csv.get(0))
        .isEqualTo(
            "stream,records,distinct,repeats,memory_bytes,bits_per_key,family,role,parameters,"
                + "fpr,fnr,fpr_se,fnr_se,false_positives,false_negatives,on_frontier,fnr_sd,default_for");
    assertThat(csv).allMatch(row -> row.split(",", -1).length == 18);
    assertThat(csv.get(1)).startsWith("web12.trace.xz,95607,13756,1,8192,4.764,SBF,paper,k=2 P=");
    assertThat(rows().stream().map(r -> r[FAMILY]).collect(Collectors.toSet()))
        .isEqualTo(
            ContestantFamily.all().stream()
                .map(ContestantFamily::label)
                .collect(Collectors.toSet()));
    assertThat(rows().stream().map(r -> r[FAMILY] + r[PARAMETERS])).doesNotHaveDuplicates();
    frontierIsRight(rows());
    for (String[] r : rows()) {
      assertThat(Double.parseDouble(r[FPR]))
          .isCloseTo(Long.parseLong(r[FALSE_POSITIVES]) / 13756.0, offset());
      assertThat(Double.parseDouble(r[FNR]))
          .isCloseTo(Long.parseLong(r[FALSE_NEGATIVES]) / (95607.0 - 13756), offset());
    }
    assertThat(directory.resolve("summary.md"))
        .content()
        .contains("## web12.trace.xz, 4.76 bits per distinct key")
        .contains("| family | FNR at FPR <= 0.01 % | FNR at FPR <= 0.1 % | FNR at FPR <= 1 % |")
        .contains("| A2 | ")
        .contains("--trace web12.trace.xz --memory 8K");
    assertThat(directory.resolve("index.html")).content().contains("\"stream\":\"web12.trace.xz\"");
    assertThat(out.toString()).contains("A2 ").contains("of the paper's best");
  }

  @Test
  void the_default_of_recency_is_reported_apart_from_its_best_setting() throws Exception {
    assertThat(
            frontier(
                "--trace",
                web12(),
                "--bits-per-key",
                "8",
                "--family",
                "recency",
                "--family",
                "clock-38",
                "--min-rate",
                "1e-4",
                "--max-rate",
                "3e-3",
                "--repeats",
                "3"))
        .isZero();
    assertThat(rows().stream().map(r -> r[PARAMETERS]))
        .contains("max-fpr=0.003 refresh=adaptive")
        .doesNotContain("max-fpr=0.01 refresh=adaptive", "max-fpr=1.0E-5 refresh=adaptive");
    for (String[] row : rows()) {
      boolean isDefault = row[PARAMETERS].endsWith("refresh=adaptive");
      assertThat(row[DEFAULT_FOR].isEmpty()).as(String.join(",", row)).isEqualTo(!isDefault);
      assertThat(Double.parseDouble(row[FNR_SD])).isBetween(1e-6, 0.01);
    }
    assertThat(out.toString()).containsPattern("RECENCY default +[0-9.]+ %.*max-fpr=0.001");
    assertThat(directory.resolve("summary.md"))
        .content()
        .containsPattern(
            "\\| RECENCY default \\| .*\\(max-fpr=1.0E-4 .*\\(max-fpr=0.001 .*\\| - \\|");
    assertThat(directory.resolve("frontier-1e-3.svg"))
        .content()
        .contains("RECENCY default max-fpr=0.001 refresh=adaptive: ")
        .contains("web12, 8 bits");
  }

  private static Offset<Double> offset() {
    return within(1e-8);
  }

  /** By counts, which are whole numbers, and the slow way. */
  private static void frontierIsRight(List<String[]> rows) {
    int onFrontier = 0;
    for (String[] r : rows) {
      long fp = Long.parseLong(r[FALSE_POSITIVES]);
      long fn = Long.parseLong(r[FALSE_NEGATIVES]);
      boolean beaten = false;
      for (String[] other : rows) {
        long otherFp = Long.parseLong(other[FALSE_POSITIVES]);
        long otherFn = Long.parseLong(other[FALSE_NEGATIVES]);
        beaten |= otherFp <= fp && otherFn <= fn && otherFp + otherFn < fp + fn;
      }
      assertThat(r[ON_FRONTIER]).as(String.join(",", r)).isEqualTo(String.valueOf(!beaten));
      onFrontier += beaten ? 0 : 1;
    }
    assertThat(onFrontier).isBetween(2, rows.size() / 2);
  }

  @Test
  void no_structure_beats_the_information_bound_on_a_shuffled_stream() throws Exception {
    assertThat(frontier("--synthetic", "shuffled:30K:60", "--bits-per-key", "4", "--repeats", "2"))
        .isZero();
    String page = Files.readString(directory.resolve("index.html"));
    List<double[]> bound = bound(page);
    assertThat(bound).hasSizeGreaterThan(20);
    for (String[] r : rows()) {
      double fpr = 100 * Double.parseDouble(r[FPR]);
      double fnr = 100 * Double.parseDouble(r[FNR]);
      // 36,000 distinct records and 24,000 duplicates: five standard errors of each rate.
      double fprError = 5 * 100 * Double.parseDouble(r[FPR + 2]) + 0.03;
      double fnrError = 5 * 100 * Double.parseDouble(r[FNR + 2]) + 0.03;
      assertThat(bound)
          .as(String.join(",", r))
          .noneMatch(b -> fpr + fprError < b[0] && fnr + fnrError < b[1]);
    }
    // And the bound is not idle: the best are within a factor of ten of it.
    assertThat(rows())
        .anyMatch(
            r ->
                bound.stream()
                    .anyMatch(
                        b ->
                            100 * Double.parseDouble(r[FPR]) < 10 * b[0]
                                && 100 * Double.parseDouble(r[FNR]) < 10 * b[1]));
  }

  private static List<double[]> bound(String page) {
    int from = page.indexOf("\"bound\":[[") + "\"bound\":[[".length();
    String[] pairs = page.substring(from, page.indexOf("]]", from)).split("],\\[");
    return Arrays.stream(pairs)
        .map(pair -> Arrays.stream(pair.split(",")).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  @Test
  void a_loop_has_its_memory_by_the_distinct_key() throws Exception {
    assertThat(
            frontier(
                "--synthetic",
                "loop:16000:4000",
                "--bits-per-key",
                "8",
                "--family",
                "bloom",
                "--repeats",
                "1"))
        .isZero();
    assertThat(String.join(",", rows().get(0)))
        .startsWith("loop:16000:4000,16000,4000,1,4032,8.064,Plain Bloom,");
    assertThat(directory.resolve("summary.md"))
        .content()
        .contains("`./unseen lab frontier -o " + directory.getFileName())
        .contains(" --synthetic loop:16000:4000 --bits-per-key 8 --family bloom --repeats 1`");
  }

  @Test
  void help_lists_every_stream() {
    assertThat(frontier("--help")).isZero();
    assertThat(out.toString())
        .contains("loop:RECORDS:KEYS\n      goes round KEYS keys")
        .contains("shuffled:RECORDS:DISTINCT%\n");
  }

  @Test
  void goes_on_where_it_was_interrupted() throws Exception {
    String[] args = {
      "--synthetic",
      "recency:20K:50:1K",
      "--memory",
      "1K",
      "--memory",
      "2K",
      "--family",
      "a2",
      "--family",
      "RLBSBF",
      "--repeats",
      "2"
    };
    assertThat(frontier(args)).isZero();
    String whole = Files.readString(directory.resolve("frontier.csv"));
    Path runs = directory.resolve("runs.jsonl");
    List<String> lines = Files.readAllLines(runs);
    Files.writeString(runs, String.join("\n", lines.subList(0, 10)) + "\n" + "{\"run\":");
    assertThat(frontier(args)).isZero();
    assertThat(err.toString())
        .contains("10 of %d runs were finished already".formatted(lines.size()));
    assertThat(directory.resolve("frontier.csv")).hasContent(whole);
    Set<String> families = new HashSet<>();
    rows().forEach(r -> families.add(r[FAMILY]));
    assertThat(families).containsExactlyInAnyOrder("A2", "RLBSBF");
    assertThat(Files.readString(directory.resolve("index.html"))).contains("\"bound\":[]");
  }

  @Test
  void a_family_runs_again_and_all_others_are_kept() throws Exception {
    String[] args = {"--synthetic", "loop:2K:500", "--family", "lru", "--family", "bloom"};
    assertThat(frontier(args)).isZero();
    Path runs = directory.resolve("runs.jsonl");
    // Tallies that no run has: those of plain Bloom are to be replaced, those of LRU to be kept.
    List<String> forged =
        Files.readAllLines(runs).stream()
            .map(line -> line.replaceAll("\\[\\[.*\\]\\]", "[[4000,1000,77,99,0.5]]"))
            .toList();
    Files.writeString(runs, String.join("\n", forged) + "\n");
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--again", "bloom"));
    assertThat(frontier(all.toArray(String[]::new))).isZero();
    assertThat(rows()).hasSize(forged.size());
    for (String[] row : rows()) {
      boolean kept = row[FALSE_POSITIVES].equals("77") && row[FALSE_NEGATIVES].equals("99");
      assertThat(kept).as(String.join(",", row)).isEqualTo(!row[FAMILY].equals("Plain Bloom"));
    }
    assertThat(Files.readAllLines(runs)).hasSize(forged.size());
    fails(2, "family 'bloomier' is unknown; known: sbf, ", "--again", "bloomier");
  }

  @Test
  void the_paper_s_24_combinations_are_six_streams_of_four_memories() throws Exception {
    assertThat(frontier("--paper", "--scale", "10000", "--family", "lru")).isZero();
    assertThat(rows()).hasSize(24);
    assertThat(rows().stream().map(r -> r[0]).distinct()).hasSize(6);
    assertThat(String.join(",", rows().get(0)))
        .startsWith("695M:15distinct at 1/10000,69500,10425,10,6710,");
  }

  @Test
  void what_cannot_be_done_is_told_in_one_line() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.txt"), "");
    fails(2, "family 'bloomier' is unknown; known: sbf, ", "--family", "bloomier");
    fails(2, "stream 'circle:9:3' is unknown; known: loop:", "--synthetic", "circle:9:3");
    fails(2, "stream 'shuffled:10' must be", "--synthetic", "shuffled:10");
    fails(2, "stream 'recency:1K:x:5' must be", "--synthetic", "recency:1K:x:5");
    fails(2, "distinct '120%' must be", "--synthetic", "shuffled:1K:120");
    fails(2, "bits per key (0.0) must be", "--bits-per-key", "0");
    fails(2, "--scale (10) needs --paper", "--scale", "10");
    fails(2, "scale (0) must be", "--paper", "--scale", "0");
    fails(2, "repeats (0) must be", "--repeats", "0");
    fails(2, "threads (0) must be", "--threads", "0");
    fails(2, "--min-rate (0.01) must be", "--min-rate", "0.01", "--max-rate", "0.001");
    fails(2, "have the paper's memory", "--paper", "--memory", "1M");
    fails(2, "need --trace", "--format", "lines");
    fails(2, "--max-records (5000) must be at least 1000, and needs", "--max-records", "5000");
    fails(2, "size 'big' must be", "--synthetic", "shuffled:1K:50", "--memory", "big");
    fails(2, "memory (1 bytes) must be", "--synthetic", "shuffled:1K:50", "--memory", "1");
    fails(2, "empty.txt has no records", "--trace", empty.toString());
    fails(1, "nowhere.txt", "--trace", "nowhere.txt");
  }

  private void fails(int code, String message, String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertThat(frontier(args)).as(message).isEqualTo(code);
    assertThat(err.toString()).startsWith("unseen: ").contains(message).hasLineCount(1);
    assertThat(err.toString()).doesNotContain("Exception");
    assertThat(out.toString()).isEmpty();
  }
}
