package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.options.ServeOptions;
import dev.unseen.testing.GeneratedTable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts, the dashboard and the manifests fit the server. */
class MonitoringTest {
  private static final Path FILES = Path.of("monitoring");
  private static final Pattern METRIC = Pattern.compile("\\b(unseen|process)_[a-z_]+");

  @TempDir Path directory;

  private String metrics(String query) throws Exception {
    try (TestServer server =
            new TestServer("--http", "0", "--dir", directory.resolve("data").toString());
        RawClient client = server.client()) {
      client.say("BF.ADD clicks a");
      client.say("SET k 1 NX EX 60");
      client.say("BF.RESERVE clicks 0.001 1000");
      URI address =
          URI.create(
              "http://localhost:" + server.server().httpPort().getAsInt() + "/metrics" + query);
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    for (Matcher found = METRIC.matcher(text); found.find(); ) {
      names.add(found.group());
    }
    return names;
  }

  /** Runs a command. Returns its exit code and what it has printed. */
  private static String run(Path directory, Path input, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() + " " + text;
  }

  private static final Path NO_INPUT = Path.of("/dev/null");

  /** Skips the test if a program is not here. */
  private static void require(String program, String argument, String remedy) {
    boolean works;
    try {
      works = run(Path.of("."), NO_INPUT, program, argument).startsWith("0 ");
    } catch (Exception e) {
      works = false;
    }
    assumeTrue(works, program + " is not here (" + remedy + ")");
  }

  private static void requirePromtool() {
    require("promtool", "--version", "Debian: apt-get install prometheus");
  }

  @Test
  void alerts_and_dashboard_use_metrics_that_exist() throws Exception {
    Set<String> known = names(metrics(""));
    for (String file : List.of("alerts.yml", "alerts-test.yml", "dashboard.json")) {
      assertThat(names(Files.readString(FILES.resolve(file)))).as(file).isSubsetOf(known);
    }
  }

  /** When the value of a metric is a reason to act. */
  private static Map<String, String> worries() {
    String compare = "never; it is for comparison";
    Map<String, String> worries = new LinkedHashMap<>();
    worries.put("unseen_server_records_total", "it stops growing while clients send");
    worries.put("unseen_server_admitted_total", "it stops growing while new items come");
    worries.put("unseen_server_duplicates_total", "its share of the records changes suddenly");
    worries.put("unseen_server_evicted_early_total", "it grows: see `unseen_evicted_early_total`");
    worries.put("unseen_server_reservations", "it never falls");
    worries.put("unseen_server_fullest_filter_ratio", "above 0.9, or above 1 in four hours");
    worries.put("unseen_server_filters_in_alarm", "above 0");
    worries.put("unseen_server_seconds_until_full", "less than a working day");
    worries.put("unseen_server_most_reservations", "above 0.8 of `unseen_server_max_reservations`");
    worries.put("unseen_server_received_bytes_total", compare);
    worries.put("unseen_server_sent_bytes_total", compare);
    worries.put("unseen_server_saving", "1 for longer than `--save-every`");
    worries.put("unseen_server_former_secrets", "above 0 for longer than the longest expiry");
    worries.put("unseen_server_loading", "1 for longer than a load takes");
    worries.put("unseen_server_filters", "near `--max-keys`");
    worries.put("unseen_server_memory_bytes", "above 0.9 of its limit: `OOM` is next");
    worries.put("unseen_server_max_memory_bytes", compare);
    worries.put("unseen_server_buffer_bytes", "above 0.8 of its limit: clients are disconnected");
    worries.put("unseen_server_max_buffer_bytes", compare);
    worries.put("unseen_server_deleted_keys", "above 0.8 of its limit: `DEL` is rejected");
    worries.put("unseen_server_max_deleted_keys", compare);
    worries.put("unseen_server_max_reservations", "`unseen_in_flight` is above 0.8 of it");
    worries.put("unseen_server_clients", "near `--max-clients`");
    worries.put("unseen_server_requests_total", "it stops growing");
    worries.put("unseen_server_connections_total", "it grows fast: clients do not reuse them");
    worries.put("unseen_server_rejected_clients_total", "it grows");
    worries.put("unseen_server_auth_failures_total", "it grows by more than 20 in five minutes");
    worries.put("unseen_server_clock_jumps_total", "it grows");
    worries.put("unseen_server_failing", "1");
    worries.put("process_resident_memory_bytes", "near the container's limit");
    worries.put("unseen_server_heap_bytes", compare);
    worries.put("unseen_server_gc_seconds_total", "it grows by more than 0.1 per second");
    worries.put(
        "unseen_server_last_save_timestamp_seconds",
        "older than three `--save-every` while items come");
    worries.put("unseen_server_last_save_duration_seconds", "near `--save-every`");
    worries.put("unseen_server_saves_total", compare);
    worries.put("unseen_server_save_seconds_total", compare);
    worries.put("unseen_server_journal_written_bytes_total", compare);
    worries.put("unseen_server_fsyncs_total", compare);
    worries.put("unseen_server_fsync_seconds_total", "more than 0.1 s per fsync: a slow disk");
    worries.put("unseen_server_journal_bytes", "above `--max-journal`: saves do not end");
    worries.put("unseen_server_load_damaged_files", "above 0");
    worries.put("unseen_server_load_damaged_bytes", "above 0");
    worries.put("unseen_server_request_duration_seconds", "1 in 100 takes more than 25 ms");
    worries.put("unseen_server_errors_total", "`OOM` or `MISCONF` grows");
    return worries;
  }

  @Test
  void the_page_for_operators_lists_all_metrics_of_the_server() throws Exception {
    Map<String, String> types = described("TYPE");
    Map<String, String> worries = worries();
    assertThat(worries.keySet())
        .as("say when to worry")
        .containsExactlyInAnyOrderElementsOf(types.keySet());
    List<String> rows =
        new ArrayList<>(
            List.of("| server | type | meaning | when to worry |", "|---|---|---|---|"));
    described("HELP")
        .forEach(
            (name, help) ->
                rows.add(
                    "| `%s` | %s | %s | %s |"
                        .formatted(name, types.get(name), help, worries.get(name))));
    GeneratedTable.check(Path.of("..", "docs", "operating.md"), rows);
  }

  /** Returns what the comments in the metrics say about each metric that is not a measure. */
  private Map<String, String> described(String what) throws Exception {
    Map<String, String> described = new LinkedHashMap<>();
    Matcher comment =
        Pattern.compile("# " + what + " ((?:unseen_server|process)_\\w+) (.*)")
            .matcher(metrics("?filters=sum"));
    while (comment.find()) {
      described.put(comment.group(1), comment.group(2));
    }
    return described;
  }

  @Test
  void the_alerts_fire_when_they_should() throws Exception {
    requirePromtool();
    assertThat(run(FILES, NO_INPUT, "promtool", "test", "rules", "alerts-test.yml"))
        .startsWith("0 ");
  }

  @Test
  void every_alert_is_tested() throws IOException {
    String tests = Files.readString(FILES.resolve("alerts-test.yml"));
    Matcher alert =
        Pattern.compile("alert: (\\w+)").matcher(Files.readString(FILES.resolve("alerts.yml")));
    while (alert.find()) {
      assertThat(tests).contains("alertname: " + alert.group(1));
    }
  }

  @Test
  void prometheus_can_read_the_metrics() throws Exception {
    requirePromtool();
    Path file = Files.writeString(directory.resolve("metrics"), metrics(""));
    assertThat(run(directory, file, "promtool", "check", "metrics")).doesNotContain("error");
  }

  @Test
  void requests_and_errors_are_counted() throws Exception {
    String text = metrics("");
    assertThat(text)
        .contains("unseen_server_request_duration_seconds_bucket{le=\"+Inf\"} 3\n")
        .contains("unseen_server_request_duration_seconds_count 3\n")
        .contains("unseen_server_errors_total{code=\"ERR\"} 1\n")
        .contains("unseen_server_errors_total{code=\"OOM\"} 0\n")
        .contains("unseen_server_deleted_keys 0\n")
        .contains("unseen_server_max_reservations 100000\n");
  }

  @Test
  void the_sums_of_all_filters_need_no_series_for_each() throws Exception {
    assertThat(metrics("?filters=sum"))
        .doesNotContain("filter=\"")
        .contains("unseen_server_filters_in_alarm 0\n")
        .contains("unseen_server_most_reservations 0\n")
        .contains("unseen_server_admitted_total 2\n")
        .contains("unseen_server_records_total 2\n")
        .contains("unseen_server_filters 2\n");
  }

  @Test
  void the_manifest_starts_the_server_with_options_that_it_has() throws IOException {
    String manifest = Files.readString(Path.of("kubernetes", "unseen.yaml"));
    String[] args =
        manifest
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("- --") && !line.contains("--max-memory")) // the heap
            .map(line -> line.substring(2))
            .toArray(String[]::new);
    ServeOptions options = ServeOptions.parse(args);
    assertThat(options.httpPort()).hasValue(7380);
    assertThat(options.httpBind().isAnyLocalAddress()).isTrue();
    assertThat(options.directory()).isPresent();
    assertThat(manifest).contains("path: /healthz", "path: /readyz", "path: /metrics");
  }

  /** What a server would ignore or reject is missing in what kubectl has read. */
  @Test
  void kubernetes_knows_all_fields_of_the_manifest() throws Exception {
    require("kubectl", "help", "https://kubernetes.io/docs/tasks/tools");
    String[] parts = Files.readString(Path.of("kubernetes", "unseen.yaml")).split("(?m)^---$", -1);
    requireKnown(parts[0], "set", "selector", "--local", "-f", "-", "app=unseen");
    requireKnown(parts[1], "set", "image", "--local", "-f", "-", "unseen=unseen:1");
    requireKnown(parts[2], "label", "--local", "-f", "-", "x=y"); // read, but not checked
  }

  private void requireKnown(String manifest, String... kubectl) throws Exception {
    Path file = Files.writeString(directory.resolve("part.yaml"), manifest);
    List<String> command = new java.util.ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(kubectl));
    command.addAll(List.of("-o", "json"));
    String read = run(directory, file, command.toArray(String[]::new));
    Matcher field =
        Pattern.compile("(?:^|[ {])([a-zA-Z]+):(?= |$)", Pattern.MULTILINE)
            .matcher(manifest.replaceAll("(?m)#.*$", ""));
    while (field.find()) {
      assertThat(read).contains("\"" + field.group(1) + "\":");
    }
  }

  @Test
  void systemd_knows_all_lines_of_the_unit() throws Exception {
    require("systemd-analyze", "--version", "Debian: systemd");
    String unit = Files.readString(Path.of("systemd", "unseen.service"));
    Path file =
        Files.writeString(
            directory.resolve("unseen.service"), // the command need not be installed
            unit.replace("ExecStart=unseen ", "ExecStart=/bin/true "));
    assertThat(run(directory, NO_INPUT, "systemd-analyze", "verify", "--man=no", file.toString()))
        .isEqualTo("0 ");
  }

  @Test
  void the_dashboard_is_one_that_grafana_can_draw() throws Exception {
    String dashboard = Files.readString(FILES.resolve("dashboard.json"));
    List<String> ids =
        Pattern.compile("^   \"id\": (\\d+)", Pattern.MULTILINE)
            .matcher(dashboard)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(ids).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    requirePromtool();
    Matcher expression = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"").matcher(dashboard);
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    for (int i = 0; expression.find(); i++) {
      String query = expression.group(1).replace("\\\"", "\"").replace("$__rate_interval", "5m");
      rules.append("  - record: panel%d\n    expr: '%s'\n".formatted(i, query));
    }
    Path file = Files.writeString(directory.resolve("panels.yml"), rules);
    assertThat(run(directory, NO_INPUT, "promtool", "check", "rules", file.toString()))
        .startsWith("0 ");
  }
}
