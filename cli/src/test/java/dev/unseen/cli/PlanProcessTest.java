package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.unseen.filter.FilterKind;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** {@code unseen plan} as a process. */
final class PlanProcessTest {
  private static final String[] BILLION = {"--records", "1e9", "--distinct", "0.6"};

  @TempDir private Path dir;

  private static Run plan(String... args) {
    List<String> all = new ArrayList<>(List.of("plan"));
    all.addAll(Arrays.asList(args));
    return Run.here(all.toArray(String[]::new));
  }

  private static Run plan(String[] stream, String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(stream));
    all.addAll(Arrays.asList(args));
    return plan(all.toArray(String[]::new));
  }

  /** The row of a table, as its words. */
  private static String[] row(Run run, String kind, int k) {
    return run.text()
        .lines()
        .map(line -> line.strip().replace(" %", "").split(" +"))
        .filter(cells -> cells.length > 4 && cells[0].equals(kind) && cells[1].equals("" + k))
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no row %s %d in%n%s".formatted(kind, k, run.text())));
  }

  @Test
  void plans_a_billion_records_in_half_a_gigabyte() {
    Run run = plan(BILLION, "--memory", "512M");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.exitCode()).isZero();
    String[] rlbsbf = row(run, "rlbsbf", 2);
    assertThat(Double.parseDouble(rlbsbf[2])).isCloseTo(2.08, within(0.02 * 2.08));
    assertThat(Double.parseDouble(rlbsbf[3])).isCloseTo(1.99, within(0.02 * 1.99));
    for (FilterKind kind : FilterKind.values()) {
      assertThat(row(run, kind.id(), kind.defaultHashes())).isNotEmpty();
    }
    assertThat(run.text())
        .startsWith("1 billion records, 600 million distinct (60 %); 512 MiB, 7.16 bits per key\n")
        .containsPattern("any structure +0[.]104 %")
        .contains("Recommended: bloom k=6, 512 MiB. The keys fit, at 7.2 bits each")
        .contains("  unseen --kind bloom --hashes 6 --memory 512M\n")
        .contains(".memory(MiB(512))")
        .contains(".kind(FilterKind.BLOOM)");
    assertThat(run.text().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(110));
  }

  @Test
  void what_it_recommends_can_be_run() {
    Run run = plan(BILLION, "-m", "64K");
    Matcher command = Pattern.compile("^  unseen (.*)$", Pattern.MULTILINE).matcher(run.text());
    assertThat(command.find()).isTrue();
    Run dedup = Run.here("a\nb\na\n".getBytes(UTF_8), command.group(1).split(" "));
    assertThat(dedup.text()).isEqualTo("a\nb\n");
    assertThat(dedup.exitCode()).isZero();
  }

  @Test
  void all_shows_every_k() {
    long few = plan(BILLION, "-m", "1M").text().lines().count();
    Run all = plan(BILLION, "-m", "1M", "--all");
    assertThat(all.text().lines().count()).isGreaterThan(few + 30);
    assertThat(row(all, "bloom", 32)).isNotEmpty();
  }

  private record Row(String kind, String hashes, long memoryBytes, double fpr, double fnr) {}

  private static List<Row> rows(Run run) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(run.stdout())) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          names.add(json.currentName());
          json.nextToken();
          values.add(json.getText());
        }
        assertThat(names).contains("kind", "hashes", "memoryBytes", "fpr", "fnr");
        boolean enough = !values.get(2).equals("null");
        rows.add(
            new Row(
                values.get(0),
                values.get(1),
                enough ? Long.parseLong(values.get(2)) : -1,
                enough ? Double.parseDouble(values.get(3)) : 1,
                enough ? Double.parseDouble(values.get(4)) : 1));
      }
    }
    return rows;
  }

  @Test
  void json_of_an_endless_stream_has_the_best_first() throws IOException {
    Run run =
        plan(
            "--memory",
            "64M",
            "--endless",
            "--repeats-within",
            "5M",
            "--max-fpr",
            "1e-4",
            "--json");
    assertThat(run.stderr()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<Row> rows = rows(run);
    assertThat(rows.get(0).fpr()).isLessThanOrEqualTo(1e-4);
    assertThat(rows.get(0).fnr()).isLessThan(0.5);
    assertThat(rows).allMatch(row -> row.memoryBytes() == 64 << 20);
    assertThat(rows)
        .filteredOn(row -> row.kind().equals("bloom"))
        .allMatch(row -> row.fpr() > 0.999 && row.fnr() == 0); // it never forgets
    Set<String> kinds = new HashSet<>();
    rows.forEach(row -> kinds.add(row.kind()));
    assertThat(kinds).hasSameSizeAs(FilterKind.values());
  }

  @Test
  void the_memory_needed_is_printed_for_each_kind() throws IOException {
    String[] wish = {"--max-fpr", "1e-4", "--max-fnr", "1%"};
    Run text = plan(BILLION, wish);
    assertThat(text.exitCode()).isZero();
    assertThat(text.text())
        .contains("memory needed for an FPR of 0.01 % and an FNR of 1 %")
        .contains("Least memory: bloom k=");
    List<String> asked = new ArrayList<>(Arrays.asList(BILLION));
    asked.addAll(Arrays.asList(wish));
    asked.add("--json");
    List<Row> rows = rows(plan(asked.toArray(String[]::new)));
    assertThat(rows).hasSameSizeAs(FilterKind.values());
    assertThat(rows)
        .filteredOn(row -> !row.kind().equals("sampled")) // lets at least 5 % of them through
        .allMatch(row -> row.fpr() <= 1e-4 && row.fnr() <= 0.01);
  }

  @Test
  void a_kind_for_which_no_memory_is_enough_is_reported() throws IOException {
    String[] asked = {"--endless", "--half-life", "1000", "--max-fpr", "0.2", "--max-fnr", "0.9"};
    Run text = plan(asked);
    assertThat(text.text()).containsPattern("bloom +never enough");
    assertThat(text.exitCode()).isZero();
    List<Row> rows = rows(plan(asked, "--json"));
    assertThat(rows).anyMatch(row -> row.kind().equals("bloom") && row.memoryBytes() == -1);
    assertThat(rows).anyMatch(row -> row.kind().equals("sbf") && row.memoryBytes() > 0);
  }

  @Test
  void an_impossible_wish_is_reported_with_the_nearest_possible() {
    Run run = plan(BILLION, "-m", "512M", "--max-fpr", "0.001", "--max-fnr", "0.001");
    assertThat(run.stderr())
        .startsWith(
            "unseen: an FPR of 0.1 % and an FNR of 0.1 % need at least 9.94 bits per key;"
                + " 512 MiB hold 432 million keys at that, and 600 million are expected; nearest:")
        .hasLineCount(1);
    assertThat(run.text()).contains("<- nearest");
    assertThat(run.exitCode()).isEqualTo(2);
    Run hopeless = plan("--endless", "--half-life", "9", "--max-fpr", "1e-9", "--max-fnr", "0");
    assertThat(hopeless.stderr())
        .startsWith(
            "unseen: no memory is enough for any kind to reach an FPR of 1 in 1 billion and an FNR of 0 %");
    assertThat(hopeless.exitCode()).isEqualTo(2);
  }

  @Test
  void streams_can_be_described_in_other_ways() throws IOException {
    Path histogram =
        Files.writeString(dir.resolve("distances.csv"), "distance,weight\n100,3\n5000,1\n");
    assertThat(plan("-m", "1M", "--records", "5M", "--universe", "1M").text())
        .startsWith("5 million draws from a universe of 1 million keys, 993,262 distinct (19.9 %)");
    assertThat(plan("-m", "1M", "--records", "5M", "--half-life", "1k", "--repeats", "20%").text())
        .startsWith("5 million records, 20 % of them repeats with a half-life of 1,000 records;");
    assertThat(plan("-m", "400K", "--records", "1.6M", "--loops-over", "400K").text())
        .startsWith("1.6 million records that go round 400,000 keys, 4 times; 400 KiB, 8.19 bits");
    assertThat(plan("-m", "1M", "--endless", "--histogram", histogram.toString()).text())
        .startsWith(
            "records without end, 50 % of them repeats at the distances of distances.csv; 1 MiB");
  }

  @Test
  void a_sample_is_read_by_its_key() throws IOException {
    StringBuilder csv = new StringBuilder("id,n\n");
    for (int i = 0; i < 3000; i++) {
      csv.append(String.format(Locale.ROOT, "%d,%d%n", i * 7919 % 1000, i));
    }
    Path file = Files.writeString(dir.resolve("sample.csv"), csv);
    assertThat(plan("-m", "1K", "--sample", file.toString(), "--key", "id").text())
        .startsWith("sample.csv: 3,000 records, 1,000 distinct (33.3 %), 66.7 % duplicates; 1 KiB");
    assertThat(plan("-m", "1M", "--sample", file.toString(), "--key", "n").text())
        .contains("An exact set would do: 46.9 KiB hold all 3,000 keys, at 16 bytes each");
  }

  @Test
  void a_file_alone_is_enough_to_plan() throws IOException {
    Path file = Files.writeString(dir.resolve("events.jsonl"), "{\"id\":7}\n{\"id\":7,\"n\":1}\n");
    Run run = plan(file.toString(), "-k", "id");
    assertThat(run.text())
        .startsWith("events.jsonl: 2 records, 1 distinct (50 %), 50 % duplicates; 64 MiB, ")
        .contains("Recommended: ");
    assertThat(run.stderr()).isEmpty();
    assertThat(plan(file.toString()).text()).contains("2 records, 2 distinct (100 %), 0 % ");
    assertThat(plan(file.toString(), "-k", "id", "--max-fnr", "1%").text())
        .contains("; memory needed for an FPR of 0.01 % and an FNR of 1 %");
  }

  /** A filter of 256 bytes drops no new record, and hardly a duplicate. */
  @Test
  void a_limit_for_one_error_alone_recommends_no_filter_that_is_wrong_about_the_other() {
    Run run = plan(BILLION, "--max-fpr", "1e-4");
    assertThat(run.text())
        .startsWith("1 billion records, 600 million distinct (60 %); 64 MiB, 0.895 bits per key\n")
        .contains("  unseen --kind recency --max-fpr 1e-4 --memory 64M\n");
    assertThat(run.exitCode()).isZero();
    Run other = plan(BILLION, "--max-fnr", "0.01");
    assertThat(other.text())
        .contains("; memory needed for an FPR of 0.01 % and an FNR of 1 %\n")
        .contains("  unseen --kind bloom --hashes 12 --memory 1056M\n");
  }

  /** Hashes have 64 bits: of 50,000 keys, 1.4e-15 share the hash of an earlier one. */
  @Test
  void no_rate_is_below_what_hashes_of_64_bits_allow() {
    Run json = plan("-m", "64M", "--records", "100K", "--distinct", "0.5", "--json");
    Matcher rates = Pattern.compile("\"fpr\" : ([0-9.eE-]+)").matcher(json.text());
    int count = 0;
    while (rates.find()) {
      assertThat(Double.parseDouble(rates.group(1))).isGreaterThan(1.3e-15);
      count++;
    }
    assertThat(count).isGreaterThan(30);
    Run text = plan("-m", "64M", "--records", "100K", "--distinct", "0.5", "--all");
    assertThat(text.text())
        .contains("; 64 MiB, 10,737 bits per key\n")
        .contains("practically none")
        .containsPattern(" 1 in [0-9.]+ million ")
        .contains("  unseen --kind bloom --hashes 5 --memory 64M\n") // more are no better
        .doesNotContainPattern("[0-9]e[+-]?[0-9]");
  }

  /** As the run itself would read it. */
  @Test
  void a_file_is_read_with_the_options_of_a_run() throws IOException {
    Path file = Files.writeString(dir.resolve("a"), "x;A \nx;a\n\ny\n");
    assertThat(plan(file.toString(), "-t", ";", "-k", "2").stderr()).contains("a, line 4, column");
    Run run = plan(file.toString(), "-t", ";", "-k", "2", "-i", "--trim", "--on-error", "skip");
    assertThat(run.text())
        .startsWith("a: 2 records, 1 distinct (50 %), 50 % duplicates; ")
        .contains("\n1 record could not be used and left out.\n");
    byte[] lines = "a\nb\na\n".getBytes(UTF_8);
    assertThat(Run.here(lines, "plan", "-").text())
        .startsWith("stdin: 3 records, 2 distinct (66.7 %), 33.3 % duplicates; ");
    Run json = Run.here(lines, "plan", "-", "--json");
    assertThat(json.stderr()).isEmpty();
  }

  /** Two million keys are more than are followed one by one; chance 1 in 10^12 to be off by 1 %. */
  @Test
  void a_large_file_is_planned_from_some_of_its_keys() throws IOException {
    Path file = dir.resolve("numbers");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000_000; i++) {
      text.append(i % 2_000_000).append('\n');
    }
    Files.writeString(file, text);
    Run run = plan("-m", "4M", file.toString());
    assertThat(run.stderr()).isEmpty();
    Matcher printed =
        Pattern.compile(
                "numbers: 3,000,000 records, about ([0-9.]+) million distinct \\(6[67][.0-9]* %\\),"
                    + " 3[34][.0-9]* % duplicates; 4 MiB, 1[67][.0-9]* bits per key\n"
                    + "One key in 2 was followed: the number of distinct keys is within 0[.]2 %, in"
                    + " 95 of 100 cases[.]\n")
            .matcher(run.text());
    assertThat(printed.find()).as(run.text()).isTrue();
    assertThat(Double.parseDouble(printed.group(1))).isCloseTo(2, within(0.02));
  }

  @Test
  void a_range_of_keys_has_a_plan_for_both_ends() throws IOException {
    Run run = plan("-m", "1M", "--records", "1e9", "--distinct", "1M..20M");
    assertThat(run.text().lines().filter(line -> line.contains(" distinct (")))
        .containsExactly(
            "1 billion records, 1 million distinct (0.1 %); 1 MiB, 8.39 bits per key",
            "1 billion records, 20 million distinct (2 %); 1 MiB, 0.419 bits per key");
    assertThat(run.exitCode()).isZero();
    Run json = plan("-m", "1M", "--records", "1e9", "--distinct", "0.1%..0.02", "--json");
    List<Long> ends = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json.stdout())) {
      while (parser.nextToken() != null) {
        if ("distinct".equals(parser.currentName()) && parser.currentToken().isNumeric()) {
          ends.add(parser.getLongValue());
        }
      }
    }
    assertThat(ends).contains(1_000_000L, 20_000_000L).isSorted();
    Run rejected =
        plan(
            "-m",
            "1M",
            "--records",
            "1e9",
            "--distinct",
            "1k..20M",
            "--max-fpr",
            "1e-4",
            "--max-fnr",
            "0.01");
    assertThat(rejected.stderr())
        .startsWith("unseen: an FPR of 0.01 % and an FNR of 1 % need")
        .hasLineCount(1);
    assertThat(rejected.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"svg", "html"})
  void a_plot_has_every_kind_and_the_settings_that_no_other_beats(String format) throws Exception {
    Path file = dir.resolve("plan." + format);
    assertThat(plan(BILLION, "-m", "512M", "--plot", file.toString()).exitCode()).isZero();
    String text = Files.readString(file);
    assertThat(text).contains(Arrays.stream(FilterKind.values()).map(FilterKind::id).toList());
    assertThat(text)
        .contains("rlbsbf k=2, 512 MiB: FPR 2.08 %, FNR 1.97 %")
        .contains("bloom k=6, 512 MiB: FPR 0.651 %, FNR 0 %")
        .doesNotContain("bloom k=7") // it drops more, and passes as few
        .contains("information bound")
        .contains("recommended: bloom k=6")
        .doesNotContain("NaN")
        .doesNotContain("<script")
        .doesNotContain("href");
    if (format.equals("svg")) {
      Element svg =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
      assertThat(svg.getTagName()).isEqualTo("svg");
      assertThat(svg.getElementsByTagName("circle").getLength()).isGreaterThan(40);
    }
  }

  @Test
  void a_histogram_that_is_not_text_is_rejected() throws IOException {
    Path file = Files.write(dir.resolve("histogram"), new byte[] {(byte) 0xFF, 0, 1});
    Run run = plan("--records", "1M", "--histogram", file.toString());
    assertThat(run.stderr())
        .isEqualTo(
            "unseen: %s is not a text file; it must have a distance and its weight per line, such"
                + " as 1000,0.25\n",
            file);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  /** Words that are drawn over each other cannot be read. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-m 512M --records 1e9 --distinct 0.6",
        "-m 64M --records 1e9 --distinct 0.6",
        "-m 1M --records 1M --distinct 0.7",
        "-m 64M --endless --repeats-within 5M",
        "-m 400K --records 1.6M --loops-over 400K --max-fpr 1e-3",
        "-m 64M --records 100K --distinct 0.5",
      })
  void no_words_of_a_plot_are_over_others(String args) throws Exception {
    Path file = dir.resolve("plan.svg");
    List<String> all = new ArrayList<>(List.of(args.split(" ")));
    all.addAll(List.of("--plot", file.toString()));
    assertThat(plan(all.toArray(String[]::new)).exitCode()).isZero();
    List<Words> words = Words.of(file);
    assertThat(words).hasSizeGreaterThan(20);
    for (int i = 0; i < words.size(); i++) {
      for (Words other : words.subList(0, i)) {
        assertThat(words.get(i).box().intersects(other.box()))
            .as("%s is over %s", words.get(i), other)
            .isFalse();
      }
    }
  }

  /** A text of a drawing, and about where it is. */
  private record Words(String text, Rectangle2D box) {
    static List<Words> of(Path svg) throws Exception {
      NodeList texts =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(svg.toFile())
              .getElementsByTagName("text");
      List<Words> words = new ArrayList<>();
      for (int i = 0; i < texts.getLength(); i++) {
        Element text = (Element) texts.item(i);
        double size = Double.parseDouble(text.getAttribute("font-size"));
        double width = 0.55 * size * text.getTextContent().length();
        double x = Double.parseDouble(text.getAttribute("x"));
        double y = Double.parseDouble(text.getAttribute("y"));
        double left =
            switch (text.getAttribute("text-anchor")) {
              case "middle" -> x - width / 2;
              case "end" -> x - width;
              default -> x;
            };
        if (!text.hasAttribute("transform")) {
          Rectangle2D box = new Rectangle2D.Double(left, y - 0.75 * size, width, 0.8 * size);
          words.add(new Words(text.getTextContent(), box));
        }
      }
      return words;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| what is the stream like? Name a file, as in: unseen plan events.jsonl -k id; or describe",
        "-m 1M | what is the stream like? Name a file",
        "-m 1M --records 1e9 | how many of the 1 billion records are distinct? Give a share, a count or a range, as in: unseen plan -m 1M --records 1e9 --distinct 0.2..0.8; or",
        "--records 5 --distinct 1.. | --distinct '1..' must have two ends, such as 1M..20M",
        "--records 5 --distinct 4..2 | --distinct '4..2' must begin with the smaller number of keys",
        "--records 5 --distinct 2..9 | --distinct '9' must be at least one key and at most the 5",
        "--records 5 --distinct 2..4 --plot a.svg | --plot draws one stream; give --distinct one",
        "x --sample y | x and --sample contradict each other",
        "x --records 5 | --records and FILE contradict each other: the file says what the stream",
        "-m 1M --distinct 0.5 | the number of records is missing",
        "-m 1M --endless | --endless needs to know how far back repeats are",
        "-m 1M --records 5 --repeats 0.5 | --repeats needs to know how far back they are",
        "-m 1M --repeats-within 5 | the number of records is missing",
        "-m 1M --endless --records 5 --half-life 3 | --endless and --records contradict each other",
        "-m 1M --records 5 --distinct 1 --universe 3 | --distinct and --universe contradict",
        "-m 1M --records 5 --distinct 1 --half-life 3 | --distinct and --half-life contradict",
        "-m 1M --endless --half-life 3 --repeats-within 4 | --repeats-within and --half-life contra",
        "-m 1M --endless --half-life 3 --repeats 1 | repeat share (1.0) must be at least 0, below 1",
        "-m 1M --loops-over 5 | the number of records is missing: add --records N, all passes",
        "-m 1M --loops-over 5 --records 4 | --loops-over (5 keys) must be at most the 4 --records",
        "-m 1M --loops-over 5 --records 9 --distinct 5 | --distinct and --loops-over contradict",
        "-m 1M --loops-over 5 --endless | --endless and --loops-over contradict",
        "-m 1M --loops-over 5 --sample x | --loops-over and --sample contradict",
        "-m 1M --records 5 --sample x | --records and --sample contradict each other",
        "-m 1M --records 5 --distinct 1 --key id | --key says how to read a file; name the file",
        "-m 1M --records lots --distinct 1 | --records 'lots' must be a whole number from 1 to below 1e18, such as 1e9",
        "-m 1M --records 5 --distinct 7 | --distinct '7' must be at least one key and at most the 5",
        "-m big --records 5 --distinct 1 | --memory 'big' must be a number and a unit",
        "-m 12 --records 5 --distinct 1 | --memory (12 bytes) must be 64 bytes to 16 TiB",
        "-m 1M --records 5 --distinct 1 --max-fpr 0 | max FPR (0.0) must be above 0",
        "-m 1M --records 5 --distinct 1 --max-fnr 3 | --max-fnr '3' must be a share from 0 to 1",
        "-m 1M --records 5 --distinct 1 --plot a.gif | plot 'a.gif' must end in .svg or .html",
        "--records 5 --distinct 1 --max-fnr 0.1 --plot a.svg | --plot needs --memory",
        "--memry 1M | unknown option '--memry'; did you mean --memory?",
      })
  void wrong_usage_is_reported_with_the_remedy(String args, String message) {
    Run run = plan(args == null ? new String[0] : args.split(" "));
    assertThat(run.stderr())
        .startsWith("unseen: " + message)
        .containsPattern("(; try|\\? Try) 'unseen plan --help'\n$")
        .hasLineCount(1);
    assertThat(run.stdout()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void bad_input_is_reported_with_its_place() throws IOException {
    Path empty = Files.writeString(dir.resolve("empty"), "");
    Path odd = Files.writeString(dir.resolve("odd.csv"), "10,1\nfar,2\n");
    fails("cannot read '/not/there': No such file", "-m", "1K", "--sample", "/not/there");
    fails("has no records; a plan needs some", "-m", "1K", "--sample", empty.toString());
    fails(
        "/not/there: there is no such file", "-m", "1K", "--endless", "--histogram", "/not/there");
    fails(
        "odd.csv, line 2: 'far,2' must be a distance and its weight",
        "-m",
        "1K",
        "--endless",
        "--histogram",
        odd.toString());
    fails(
        "/not/there.svg: there is no such file or directory",
        "-m",
        "1K",
        "--records",
        "5",
        "--distinct",
        "1",
        "--plot",
        "/not/there.svg");
  }

  private static void fails(String message, String... args) {
    Run run = plan(args);
    assertThat(run.stderr()).startsWith("unseen: ").contains(message).hasLineCount(1);
    assertThat(run.stdout()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void help_has_every_option_and_an_example() {
    Run run = plan("--help");
    assertThat(run.text())
        .contains(
            "--memory", "--records", "--loops-over", "--sample", "--max-fpr", "--json", "--plot")
        .contains("unseen plan -m 512M --records 1e9 --distinct 0.6");
    assertThat(run.exitCode()).isZero();
  }
}
