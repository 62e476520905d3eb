package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.filter.FilterKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TraceCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int trace(String... args) {
    List<String> all = new ArrayList<>(List.of("trace"));
    all.addAll(Arrays.asList(args));
    return LabCommand.execute(
        new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static String real(String name) throws URISyntaxException {
    return Path.of(TraceCommandTest.class.getResource("traces/" + name).toURI()).toString();
  }

  /** What the page beside the traces says of them. */
  @ParameterizedTest
  @CsvSource({
    "orm-busy, 5000000, 76349",
    "orm-night, 5000000, 86466",
    "web12, 95607, 13756",
    "web07, 76118, 20484"
  })
  void the_real_traces_are_what_they_say(String name, String records, String distinct)
      throws Exception {
    assertThat(
            trace(
                real(name + ".trace.xz"),
                "--format",
                "int32be",
                "--memory",
                "1M",
                "--kind",
                "bloom",
                "--json"))
        .isZero();
    Map<String, String> bloom = results().get(0);
    assertThat(bloom).containsEntry("records", records).containsEntry("distinct", distinct);
    assertThat(bloom).containsEntry("falseNegatives", "0");
  }

  @Test
  void json_has_every_kind_with_its_figures() throws Exception {
    assertThat(trace(real("web12.trace.xz"), "--format", "int32be", "--memory", "8K", "--json"))
        .isZero();
    List<Map<String, String>> results = results();
    assertThat(results)
        .extracting(r -> r.get("kind"))
        .containsExactlyElementsOf(Arrays.stream(FilterKind.values()).map(FilterKind::id).toList());
    for (Map<String, String> r : results) {
      assertThat(r.keySet())
          .containsExactly(
              "kind",
              "hashes",
              "memoryBytes",
              "records",
              "distinct",
              "falsePositives",
              "falseNegatives",
              "fpr",
              "fnr",
              "load");
      assertThat(r).containsEntry("memoryBytes", "8192");
      double distinct = Double.parseDouble(r.get("distinct"));
      double duplicates = Double.parseDouble(r.get("records")) - distinct;
      assertThat(Double.parseDouble(r.get("fpr")))
          .isEqualTo(Double.parseDouble(r.get("falsePositives")) / distinct);
      assertThat(Double.parseDouble(r.get("fnr")))
          .isEqualTo(Double.parseDouble(r.get("falseNegatives")) / duplicates);
    }
  }

  @Test
  void filters_can_be_named_each_with_its_hashes() throws Exception {
    assertThat(
            trace(
                real("web07.trace.xz"),
                "--format",
                "int32be",
                "--memory",
                "8K",
                "--kind",
                "rlbsbf",
                "--hashes",
                "8",
                "--kind",
                "RLBSBF",
                "--kind",
                "bloom",
                "--hashes",
                "3",
                "--json"))
        .isZero();
    assertThat(results())
        .extracting(r -> r.get("kind") + " " + r.get("hashes"))
        .containsExactly("rlbsbf 8", "rlbsbf 2", "bloom 3");
  }

  @Test
  void keys_of_csv_and_json_lines_are_read_by_name() throws Exception {
    Path csv = Files.writeString(directory.resolve("a.csv"), "id,x\n1,a\n2,b\n1,c\n");
    assertThat(trace(csv.toString(), "--key", "id", "--memory", "1K", "--json")).isZero();
    assertThat(results().get(0)).containsEntry("records", "3").containsEntry("distinct", "2");
    Path jsonl =
        Files.writeString(directory.resolve("a.jsonl"), "{\"id\":1}\n{\"id\":\"1\"}\n{\"id\":2}\n");
    out.getBuffer().setLength(0);
    assertThat(trace(jsonl.toString(), "--key", "id", "--memory", "1K", "--json")).isZero();
    assertThat(results().get(0)).containsEntry("records", "3").containsEntry("distinct", "2");
  }

  /** The same keys: as lines of a file, and computed. A loop knows no other errors than these. */
  @Test
  void a_synthetic_stream_takes_the_place_of_a_file() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 8000; i++) {
      lines.append(1 + i % 2000).append('\n');
    }
    Path loop = Files.writeString(directory.resolve("loop.txt"), lines);
    String[] filter = {"-m", "2000", "--kind", "recency", "--max-fpr", "1e-3", "--json"};
    assertThat(trace(with(filter, loop.toString(), "-f", "lines"))).isZero();
    Map<String, String> read = results().get(0);
    out.getBuffer().setLength(0);
    assertThat(trace(with(filter, "--synthetic", "loop:8000:2000"))).isZero();
    Map<String, String> computed = results().get(0);
    for (Map<String, String> each : List.of(read, computed)) {
      assertThat(each).containsEntry("records", "8000").containsEntry("distinct", "2000");
    }
    // Other hashes: of 6,000 duplicates in 31 lines, the difference is below three points.
    assertThat(Double.parseDouble(computed.get("fnr")))
        .isCloseTo(Double.parseDouble(read.get("fnr")), within(0.03));
    out.getBuffer().setLength(0);
    assertThat(trace("--synthetic", "loop:8K:2K", "-m", "2000", "--kind", "bloom")).isZero();
    assertThat(out.toString()).startsWith("loop:8K:2K: 8,000 records, 2,000 distinct (25 %)");
  }

  private static String[] with(String[] more, String... first) {
    List<String> all = new ArrayList<>(Arrays.asList(first));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  @Test
  void the_table_tells_what_its_columns_mean() throws Exception {
    assertThat(trace(real("web12.trace.xz"), "--format", "int32be", "--memory", "8K")).isZero();
    assertThat(out.toString())
        .startsWith("web12.trace.xz: 95,607 records, 13,756 distinct (14.4 %)")
        .contains("rlbsbf ")
        .contains("FPR: share of the distinct records that are lost.");
  }

  @Test
  void bad_input_is_told_in_one_line_with_the_right_exit_code() throws Exception {
    Path odd = Files.write(directory.resolve("odd.bin"), new byte[10]);
    byte[] whole = Files.readAllBytes(Path.of(real("web12.trace.xz")));
    Path cut = Files.write(directory.resolve("cut.xz"), Arrays.copyOf(whole, whole.length / 2));
    Path csv = Files.writeString(directory.resolve("a.csv"), "id,x\n1,a\n");
    fails(1, "nowhere.bin", "nowhere.bin", "--memory", "1K");
    fails(1, "directory", directory.toString(), "--memory", "1K");
    fails(1, "odd.bin", odd.toString(), "--format", "int32be", "--memory", "1K");
    fails(1, "cut.xz", cut.toString(), "--format", "int32be", "--memory", "1K");
    fails(1, "user", csv.toString(), "--key", "user", "--memory", "1K");
    fails(2, "format 'xml' is unknown", csv.toString(), "--format", "xml", "--memory", "1K");
    fails(2, "kind 'cuckoo' is unknown", csv.toString(), "--kind", "cuckoo", "--memory", "1K");
    fails(2, "size 'big' must be", csv.toString(), "--memory", "big");
    fails(
        2,
        "hashes (99) must be",
        csv.toString(),
        "--memory",
        "1K",
        "--kind",
        "sbf",
        "--hashes",
        "99");
    fails(2, "--kind", csv.toString(), "--memory", "1K", "--hashes", "3");
    fails(2, "--memory", csv.toString());
    fails(2, "there is nothing to read", "--memory", "1K");
    fails(2, "cannot be combined", csv.toString(), "--memory", "1K", "--synthetic", "loop:9:3");
    fails(2, "need a FILE", "--memory", "1K", "--synthetic", "loop:9:3", "-f", "lines");
    fails(2, "stream 'circle' is unknown; known: ", "--memory", "1K", "--synthetic", "circle");
  }

  private void fails(int code, String message, String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    assertThat(trace(args)).as(message).isEqualTo(code);
    assertThat(err.toString()).startsWith("unseen: ").contains(message).hasLineCount(1);
    assertThat(err.toString()).doesNotContain("Exception");
    assertThat(out.toString()).isEmpty();
  }

  private List<Map<String, String>> results() throws IOException {
    List<Map<String, String>> results = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(out.toString())) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> result = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String name = json.currentName();
          json.nextToken();
          result.put(name, json.getText());
        }
        results.add(result);
      }
      assertThat(json.currentToken()).isEqualTo(JsonToken.END_ARRAY);
    }
    return results;
  }
}
