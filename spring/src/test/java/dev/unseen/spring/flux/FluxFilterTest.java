package dev.unseen.spring.flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.Reserved;
import dev.unseen.spring.flux.Responding.Runs;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The filter of requests in a reactive application. */
@OneApplication
class FluxFilterTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Autowired Runs runs;

  @Autowired
  @Qualifier("filter")
  Deduplicator<String> keys;

  HttpCalls http;

  @BeforeEach
  void connect(@LocalServerPort int port) {
    http = new HttpCalls(port);
  }

  /** Asks until the request before has ended, which a client may see before the server does. */
  private HttpResponse<String> settled(String path, String key) {
    return await()
        .atMost(PATIENCE)
        .until(() -> http.post(path, key), reply -> !reply.body().contains("being processed"));
  }

  @Test
  void lets_a_request_through_once() {
    assertThat(http.post("/filtered/plain", "a").body()).isEqualTo("run 1");
    HttpResponse<String> again = settled("/filtered/plain", "a");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(again.body()).contains("processed before", "Request already processed");
    assertThat(settled("/filtered/other", "a").body()).isEqualTo("run 1");
    assertThat(runs.of("/filtered/plain")).isEqualTo(1);
  }

  @Test
  void releases_the_keys_of_failures() {
    assertThat(http.post("/filtered/fails", "a").statusCode()).isEqualTo(400);
    assertThat(settled("/filtered/fails", "a").statusCode()).isEqualTo(400);
    assertThat(runs.of("/filtered/fails")).isEqualTo(2);
    assertThat(http.post("/filtered/throws", "a").statusCode()).isEqualTo(500);
    assertThat(settled("/filtered/throws", "a").statusCode()).isEqualTo(500);
    assertThat(runs.of("/filtered/throws")).isEqualTo(2);
  }

  @Test
  void knows_requests_in_flight_and_those_that_are_given_up() {
    http.disconnectFrom(
        "/filtered/slow",
        "a",
        () -> {
          runs.awaitSlow();
          HttpResponse<String> meanwhile = http.post("/filtered/slow", "a");
          assertThat(meanwhile.statusCode()).isEqualTo(409);
          assertThat(meanwhile.headers().firstValue("Retry-After")).hasValue("1");
          assertThat(meanwhile.body()).contains("being processed", "Request in flight");
        });
    assertThat(settled("/filtered/slow", "a").body()).isEqualTo("done");
    assertThat(runs.of("/filtered/slow")).isEqualTo(2);
  }

  @Test
  void of_many_requests_at_once_one_runs() {
    List<CompletableFuture<HttpResponse<String>>> calls =
        IntStream.range(0, 20).mapToObj(i -> http.postLater("/filtered/many", "a")).toList();
    assertThat(calls.stream().map(call -> call.join().statusCode()))
        .containsOnly(200, 409)
        .containsOnlyOnce(200);
    assertThat(runs.of("/filtered/many")).isEqualTo(1);
  }

  @Test
  void rejects_missing_several_and_malformed_keys() {
    HttpResponse<String> missing = http.post("/filtered/plain", null);
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("The header Idempotency-Key is missing");
    assertThat(http.postTwice("/filtered/plain", "x", "y").body())
        .contains("Malformed key", "2 times");
    HttpResponse<String> malformed = http.post("/filtered/plain", "\"x");
    assertThat(malformed.statusCode()).isEqualTo(400);
    assertThat(malformed.body()).contains("Malformed key", "the closing quote is missing");
  }

  @Test
  void takes_other_spellings_for_the_same_key_and_path() {
    assertThat(http.post("/filtered/spelt", "q1").body()).isEqualTo("run 1");
    assertThat(settled("/filtered/spelt", "\"q1\"").statusCode()).isEqualTo(409);
    assertThat(settled("/filtered/%73pelt", "q1").statusCode()).isEqualTo(409);
    assertThat(settled("/%66iltered/spelt;x=1", "q1").statusCode()).isEqualTo(409);
    assertThat(runs.of("/filtered/spelt")).isEqualTo(1);
  }

  @Test
  void leaves_other_paths_and_methods_alone() {
    assertThat(http.post("/unfiltered", null).statusCode()).isEqualTo(200);
    assertThat(http.post("/unfiltered", "a").statusCode()).isEqualTo(200);
    assertThat(http.post("/unfiltered", "a").statusCode()).isEqualTo(200);
    assertThat(http.get("/filtered/plain").statusCode()).isEqualTo(405);
  }

  @Test
  void rejects_requests_when_too_many_keys_are_reserved() {
    try (Reserved others = Reserved.all(keys)) {
      assertThat(others).isNotNull();
      HttpResponse<String> rejected = http.post("/filtered/limited", "a");
      assertThat(rejected.statusCode()).isEqualTo(503);
      assertThat(rejected.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(rejected.body()).contains("Too many requests in flight");
    }
    assertThat(http.post("/filtered/limited", "a").body()).isEqualTo("run 1");
  }
}
