package dev.unseen.spring.flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.Reserved;
import dev.unseen.spring.flux.Responding.Runs;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The response decides whether a handler method of WebFlux has processed its key. */
@OneApplication
class FluxResponsesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Autowired Runs runs;
  @Autowired Deduplicator<String> keys;
  HttpCalls http;

  @BeforeEach
  void connect(@LocalServerPort int port) {
    http = new HttpCalls(port);
  }

  @ParameterizedTest
  @CsvSource({
    "/throws, 500",
    "/throws-mapped, 402",
    "/entity, 502",
    "/problem, 503",
    "/error-response, 502",
    "/set-status, 503",
    "/set-status-without-body, 503",
    "/annotated-status, 503",
    "/unwritable, 500",
    "/value-problem, 503",
    "/value-unwritable, 500",
    "/future-unwritable, 500",
    "/flux-throws, 402",
    "/function-fails, 503"
  })
  void a_response_that_is_an_error_releases_the_key(String path, int status) {
    assertThat(http.post(path, "a").statusCode()).isEqualTo(status);
    assertThat(http.post(path, "a").statusCode()).isEqualTo(status);
    assertThat(runs.of(path)).isEqualTo(2);
    assertThat(keys.report().inFlight()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/throws-mapped-to-success",
        "/mono",
        "/empty",
        "/flux",
        "/value",
        "/future",
        "/function"
      })
  void another_response_counts_as_processed(String path) {
    long processed = keys.report().admitted();
    int before = runs.of(path);
    assertThat(http.post(path, "a").statusCode()).isEqualTo(200);
    HttpResponse<String> again = settled(path);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("processed before");
    assertThat(runs.of(path)).isEqualTo(before + 1);
    assertThat(keys.report().admitted()).isEqualTo(processed + 1);
    assertThat(keys.report().inFlight()).isZero();
  }

  /** Asks until the request before has ended, which a client may see before the server does. */
  private HttpResponse<String> settled(String path) {
    return await()
        .atMost(PATIENCE)
        .until(() -> http.post(path, "a"), reply -> !reply.body().contains("being processed"));
  }

  @Test
  void a_mono_is_processed_before_the_client_has_its_response() {
    for (int i = 0; i < 200; i++) {
      assertThat(http.post("/mono", "fast" + i).statusCode()).isEqualTo(200);
      assertThat(http.post("/mono", "fast" + i).body()).contains("processed before");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/flux-breaks", "/entity-breaks", "/endless"})
  void a_stream_that_breaks_releases_the_key(String path) {
    http.disconnectFrom(path, "a");
    assertThat(settled(path).statusCode()).isEqualTo(200);
    assertThat(runs.of(path)).isEqualTo(2);
    assertThat(settled(path).statusCode()).isEqualTo(409);
  }

  @Test
  void a_client_that_disconnects_releases_the_key_of_work_that_is_not_done() {
    http.disconnectFrom("/slow", "a", runs::awaitSlow);
    assertThat(settled("/slow").body()).isEqualTo("done");
  }

  @Test
  void a_client_that_disconnects_does_not_undo_work_that_was_done() {
    http.disconnectFrom("/large", "a");
    assertThat(settled("/large").body()).contains("processed before");
    assertThat(runs.of("/large")).isEqualTo(1);
  }

  @Test
  void a_request_is_rejected_when_too_many_keys_are_reserved() {
    try (Reserved others = Reserved.all(keys)) {
      assertThat(others).isNotNull();
      for (String path : new String[] {"/mono", "/flux", "/value"}) {
        HttpResponse<String> rejected = http.post(path, "limited");
        assertThat(rejected.statusCode()).isEqualTo(503);
        assertThat(rejected.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(rejected.body()).contains("Too many requests in flight");
      }
    }
    assertThat(http.post("/mono", "limited").statusCode()).isEqualTo(200);
  }
}
