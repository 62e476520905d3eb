package dev.unseen.spring.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.Reserved;
import dev.unseen.spring.replay.ReplayApplication.Runs;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** What a second request with the same key gets is what the first table of docs/spring.md says. */
@Timeout(300)
class SecondRequestTest {
  private static final Path PAGE = page(Path.of("").toAbsolutePath());
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String JSON = "application/json";

  private HttpCalls http;
  private Runs runs;
  private Deduplicator<String> keys;

  private static Path page(Path directory) {
    Path page = directory.resolve("docs/spring.md");
    return Files.exists(page) ? page : page(directory.getParent());
  }

  /** Returns the rows of the table by their first cell, each with the cells that follow. */
  static Map<String, List<String>> table() throws IOException {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    String page = Files.readString(PAGE);
    int start = page.indexOf("| the second request |");
    assertThat(start).isPositive();
    page.substring(start, page.indexOf("\n\n", start))
        .lines()
        .skip(2)
        .forEach(
            line -> {
              List<String> cells = List.of(line.substring(2, line.length() - 2).split(" \\| "));
              rows.put(cells.get(0), cells.subList(1, cells.size()));
            });
    return rows;
  }

  @ParameterizedTest
  @CsvSource({
    "servlet, none, 0",
    "servlet, caffeine, 1",
    "servlet, jdbc, 1",
    "netty, none, 0",
    "netty, jdbc, 1",
    "tomcat, caffeine, 1",
    "tomcat, jdbc, 1"
  })
  void gets_what_the_table_says(String server, String store, int column) throws IOException {
    connect(SharedApplications.with(server, store));
    for (String door : List.of("/filtered/", "/annotated/")) {
      Map<String, String> found = new LinkedHashMap<>();
      Map<String, String> expected = new LinkedHashMap<>();
      table()
          .forEach(
              (row, cells) -> {
                if (!row.contains("server")) { // another test stops one
                  expected.put(row, cells.get(column));
                  found.put(row, second(row, door));
                }
              });
      assertThat(found).as(door).isEqualTo(expected).isNotEmpty();
    }
  }

  @SuppressWarnings("unchecked") // the only bean of its class
  private void connect(ConfigurableApplicationContext application) {
    http =
        new HttpCalls(
            Integer.parseInt(application.getEnvironment().getProperty("local.server.port")));
    runs = application.getBean(Runs.class);
    keys = application.getBean(Deduplicator.class);
  }

  /** Does what a row of the table says, and returns what the second request gets. */
  private String second(String row, String door) {
    return switch (row) {
      case "the first succeeded" -> {
        HttpResponse<String> first = http.post(door + "a", "a", JSON, "{}");
        assertThat(first.statusCode()).isEqualTo(201);
        HttpResponse<String> second = settled(door + "a", "a", "{}");
        assertThat(runs.of(door + "a")).isEqualTo(1);
        yield isReplay(first, second) ? "the first response" : describe(second);
      }
      case "the first succeeded, and had another body" -> {
        assertThat(http.post(door + "b", "b", JSON, "{}").statusCode()).isEqualTo(201);
        HttpResponse<String> second = settled(door + "b", "b", "{\"amount\": 1}");
        assertThat(runs.of(door + "b")).isEqualTo(1);
        yield describe(second);
      }
      case "the first is still being processed" -> {
        CompletableFuture<HttpResponse<String>> first = http.postLater(door + "slow", "c");
        await().atMost(PATIENCE).until(() -> runs.of(door + "slow") == 1);
        HttpResponse<String> second = http.post(door + "slow", "c");
        runs.result(door + "slow").complete("id");
        assertThat(first.join().statusCode()).isEqualTo(200);
        yield describe(second);
      }
      case "the first failed" -> {
        assertThat(http.post(door + "failing", "d", JSON, "{}").statusCode()).isEqualTo(400);
        assertThat(settled(door + "failing", "d", "{}").statusCode()).isEqualTo(201);
        yield runs.of(door + "failing") == 2 ? "is processed" : "is lost";
      }
      case "it has no key, and needs one" -> describe(http.post(door + "e", null, JSON, "{}"));
      case "too many keys are in flight" -> {
        try (Reserved others = Reserved.all(keys)) {
          assertThat(others).isNotNull();
          yield describe(http.post(door + "f", "f", JSON, "{}"));
        }
      }
      default -> throw new AssertionError("the table has a row that is not tested: " + row);
    };
  }

  /** Asks until the request before has ended, which a client may see before the server does. */
  private HttpResponse<String> settled(String path, String key, String body) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> http.post(path, key, JSON, body),
            reply -> !reply.body().contains("being processed"));
  }

  private static boolean isReplay(HttpResponse<String> first, HttpResponse<String> second) {
    return second.statusCode() == first.statusCode()
        && second.body().equals(first.body())
        && second.headers().firstValue("Location").equals(first.headers().firstValue("Location"))
        && second
            .headers()
            .firstValue("Content-Type")
            .equals(first.headers().firstValue("Content-Type"))
        && second.headers().firstValue("Idempotency-Replayed").isPresent()
        && second.headers().firstValue("Set-Cookie").isEmpty();
  }

  static String describe(HttpResponse<String> response) {
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    return "`"
        + response.statusCode()
        + (response.headers().firstValue("Retry-After").isPresent() ? "`, `Retry-After: 1`" : "`");
  }
}
