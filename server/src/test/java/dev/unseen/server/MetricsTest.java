package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads at /metrics, and builds alerts on. */
class MetricsTest {
  @TempDir Path directory;

  private static String metrics(TestServer server) throws Exception {
    URI uri = URI.create("http://localhost:%d/metrics".formatted(port(server)));
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static int port(TestServer server) {
    return server.server().httpPort().orElseThrow();
  }

  private static double value(String metrics, String sample) {
    return Double.parseDouble(
        metrics
            .lines()
            .filter(line -> line.startsWith(sample + " "))
            .map(line -> line.substring(sample.length() + 1))
            .findFirst()
            .orElseThrow(() -> new AssertionError(sample + " is missing in\n" + metrics)));
  }

  private static void set(RawClient client, String prefix, int keys) throws IOException {
    for (int i = 0; i < keys; i++) {
      client.send(RawClient.request("SET", prefix + i, "1", "NX", "EX", "60"));
      if (i % 100 == 99) {
        for (int reply = 0; reply < 100; reply++) {
          client.reply();
        }
      }
    }
  }

  @Test
  void keys_that_expire_are_not_evicted_early_and_keys_without_room_are() throws Exception {
    try (TestServer server = new TestServer("--http", "0", "--set-memory", "64K");
        RawClient client = server.client()) {
      String evicted = "unseen_evicted_early_total{filter=\"SET EX 1m\"}";
      for (int round = 0; round < 5; round++) {
        set(client, "round" + round + "-", 1000);
        server.pass(200_000);
      }
      String metrics = metrics(server);
      assertThat(value(metrics, evicted)).isZero();
      assertThat(value(metrics, "unseen_window_coverage{filter=\"SET EX 1m\"}")).isEqualTo(1);
      set(client, "flood", 40_000);
      metrics = metrics(server);
      assertThat(value(metrics, evicted)).isGreaterThan(10_000);
      assertThat(value(metrics, "unseen_window_coverage{filter=\"SET EX 1m\"}")).isLessThan(0.9);
    }
  }

  @Test
  void a_filter_without_a_window_has_no_coverage_and_counts_what_it_evicts() throws Exception {
    try (TestServer server = new TestServer("--http", "0");
        RawClient client = server.client()) {
      assertThat(client.say("BF.RESERVE small 0.001 1000")).isEqualTo("+OK");
      String before = metrics(server);
      assertThat(value(before, "unseen_evicted_early_total{filter=\"small\"}")).isZero();
      assertThat(value(before, "unseen_estimated_fnr{filter=\"small\"}")).isZero();
      for (int i = 0; i < 300; i++) {
        StringBuilder line = new StringBuilder("BF.MADD small");
        for (int j = 0; j < 100; j++) {
          line.append(" i").append(100 * i + j);
        }
        client.say(line.toString());
      }
      String metrics = metrics(server);
      assertThat(value(metrics, "unseen_evicted_early_total{filter=\"small\"}"))
          .isGreaterThan(20_000);
      assertThat(metrics).doesNotContain("unseen_window_coverage{");
      assertThat(value(metrics, "unseen_estimated_fnr{filter=\"small\"}")).isNaN();
      assertThat(value(metrics, "unseen_estimated_fnr_high{filter=\"small\"}")).isGreaterThan(0.9);
      assertThat(client.say("UN.REPORT small")).contains("'estimated_fnr', nil");
    }
  }

  @Test
  void metrics_have_base_units_the_version_and_the_damage() throws Exception {
    double began = System.currentTimeMillis() / 1e3;
    try (TestServer server = new TestServer("--http", "0", "--dir", directory.toString());
        RawClient client = server.client()) {
      assertThat(client.say("BF.ADD f a")).isEqualTo(":1");
      assertThat(client.say("SAVE")).isEqualTo("+OK");
      String metrics = metrics(server);
      assertThat(metrics).containsPattern("unseen_build_info\\{version=\"\\d+\\.\\d[^\"]*\"} 1\n");
      assertThat(value(metrics, "unseen_server_last_save_timestamp_seconds"))
          .isBetween(began - 1, System.currentTimeMillis() / 1e3 + 1);
      assertThat(value(metrics, "unseen_server_last_save_duration_seconds")).isBetween(0.0, 600.0);
      assertThat(value(metrics, "unseen_server_journal_bytes")).isPositive();
      assertThat(value(metrics, "unseen_server_load_damaged_files")).isZero();
    }
    Path file = directory.resolve("key-f.uns");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    try (TestServer server = new TestServer("--http", "0", "--dir", directory.toString())) {
      assertThat(value(metrics(server), "unseen_server_load_damaged_files")).isEqualTo(1);
    }
  }

  @Test
  void promtool_finds_nothing_to_complain_about() throws Exception {
    assumeTrue(isInstalled(), "promtool is not installed; apt install prometheus has it");
    try (TestServer server = new TestServer("--http", "0", "--dir", directory.toString());
        RawClient client = server.client()) {
      client.say("BF.MADD clicks a b a");
      client.say("BF.RESERVE stable 0.001 100 MEMORY 1mb KIND sbf");
      client.say("SET k 1 NX EX 60");
      Process promtool =
          new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true).start();
      try (var to = promtool.getOutputStream()) {
        to.write(metrics(server).getBytes(UTF_8));
      }
      assertThat(new String(promtool.getInputStream().readAllBytes(), UTF_8)).isEmpty();
      assertThat(promtool.waitFor()).isZero();
    }
  }

  private static boolean isInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("promtool", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
