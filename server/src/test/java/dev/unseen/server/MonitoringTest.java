package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.options.ServeOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private static String promtool(Path directory, String... args) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("promtool"));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() + " " + text;
  }

  private static void requirePromtool() {
    boolean works;
    try {
      works = promtool(Path.of("."), "--version").startsWith("0 ");
    } catch (Exception e) {
      works = false;
    }
    assumeTrue(works, "promtool is not here (Debian: apt-get install prometheus)");
  }

  @Test
  void alerts_and_dashboard_use_metrics_that_exist() throws Exception {
    Set<String> known = names(metrics(""));
    for (String file : List.of("alerts.yml", "alerts-test.yml", "dashboard.json")) {
      assertThat(names(Files.readString(FILES.resolve(file)))).as(file).isSubsetOf(known);
    }
  }

  @Test
  void the_alerts_fire_when_they_should() throws Exception {
    requirePromtool();
    assertThat(promtool(FILES, "test", "rules", "alerts-test.yml")).startsWith("0 ");
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
    Process process =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    assertThat(text).doesNotContain("error");
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
}
