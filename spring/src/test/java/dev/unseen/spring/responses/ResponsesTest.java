package dev.unseen.spring.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.WatchedStore;
import dev.unseen.spring.responses.ResponsesApplication.Runs;
import dev.unseen.spring.responses.ResponsesApplication.Succeeding;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

/** The response decides whether a handler method of Spring MVC has processed its key. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"unseen.memory=64KB", "unseen.reservation-timeout=1h", "logging.level.root=off"})
@Timeout(180)
class ResponsesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TestConfiguration(proxyBeanMethods = false)
  static class Watching {
    @Bean
    WatchedStore reservations(Deduplicator<String> keys) {
      return new WatchedStore(keys);
    }
  }

  @Autowired Runs runs;
  @Autowired WatchedStore store;
  @Autowired Succeeding direct;
  @Autowired Deduplicator<String> keys;
  @LocalServerPort int port;
  HttpCalls http;

  @BeforeEach
  void connect() {
    http = new HttpCalls(port);
  }

  @ParameterizedTest
  @CsvSource({
    "/throws, 500",
    "/throws-mapped, 402",
    "/entity, 502",
    "/problem, 503",
    "/error-response, 502",
    "/send-error, 500",
    "/set-status, 503",
    "/set-status-with-body, 503",
    "/annotated-status, 503",
    "/unwritable, 500",
    "/future-problem, 503",
    "/future-unwritable, 500",
    "/future-throws, 402",
    "/mono-problem, 503",
    "/deferred-problem, 503",
    "/deferred-timeout, 503",
    "/callable-problem, 503",
    "/streaming-throws, 402",
    "/emitter-throws, 402",
    "/own-async-status, 503",
    "/forward-to-failure, 503",
    "/function-fails, 503"
  })
  void a_response_that_is_an_error_releases_the_key(String path, int status) {
    int before = runs.of(path);
    assertThat(http.post(path, "a").statusCode()).isEqualTo(status);
    assertThat(settled(path, "a").statusCode()).isEqualTo(status);
    assertThat(runs.of(path)).isEqualTo(before + 2);
    await().atMost(PATIENCE).until(() -> keys.report().inFlight() == 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/value",
        "/throws-mapped-to-success",
        "/redirect-status",
        "/future",
        "/mono",
        "/flux",
        "/deferred",
        "/deferred-timeout-with-result",
        "/callable",
        "/streaming",
        "/emitter",
        "/own-async",
        "/function",
        "/forward",
        "/declared",
        "/declared-writer",
        "/declared-large",
        "/declared-streaming",
        "/closed",
        "/closed-writer",
        "/no-content",
        "/empty"
      })
  void another_response_counts_as_processed(String path) {
    long processed = keys.report().admitted();
    int before = runs.of(path);
    assertThat(http.post(path, "a").statusCode()).isBetween(200, 399);
    HttpResponse<String> again = settled(path, "a");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("processed before");
    assertThat(runs.of(path)).isEqualTo(before + 1);
    assertThat(keys.report().admitted()).isEqualTo(processed + 1);
    assertThat(keys.report().inFlight()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/value",
        "/redirect-status",
        "/future",
        "/flux",
        "/deferred",
        "/callable",
        "/streaming",
        "/emitter",
        "/function",
        "/forward",
        "/declared",
        "/declared-writer",
        "/declared-large",
        "/declared-streaming",
        "/closed",
        "/closed-writer",
        "/no-content",
        "/empty"
      })
  void a_client_has_its_whole_response_only_when_its_key_is_marked(String path) {
    assertThat(store.answeredBeforeMark(http, path, "marked")).containsExactly(false);
  }

  @Test
  void a_response_is_not_changed_by_what_is_held_back() {
    for (String path :
        List.of(
            "/forward",
            "/declared",
            "/declared-writer",
            "/declared-streaming",
            "/closed",
            "/closed-writer")) {
      assertThat(http.post(path, "unchanged").body()).as(path).isEqualTo("done");
    }
    assertThat(http.post("/declared-large", "unchanged").body()).hasSize(1 << 20);
    assertThat(http.post("/declared", "length").headers().firstValue("Content-Length"))
        .hasValue("4");
  }

  /**
   * Asks until the request before has ended, which a client may see before the server does if the
   * response was flushed.
   */
  private HttpResponse<String> settled(String path, String key) {
    return await()
        .atMost(PATIENCE)
        .until(() -> http.post(path, key), reply -> !reply.body().contains("being processed"));
  }

  @Test
  void a_value_is_processed_before_the_client_has_its_response() {
    for (int i = 0; i < 100; i++) {
      String key = "fast " + i;
      assertThat(http.post("/direct?id=fast+" + i, null).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> direct.direct(key)).hasMessageContaining("processed before");
    }
  }

  @Test
  void an_error_is_released_before_the_client_has_its_response() {
    for (int i = 0; i < 100; i++) {
      for (String path : new String[] {"/throws-mapped", "/problem", "/entity"}) {
        assertThat(http.post(path, "fast").statusCode()).isNotEqualTo(409);
      }
    }
  }

  @Test
  void a_client_that_disconnects_does_not_undo_work_that_was_done() {
    http.disconnectFrom("/large", "gone");
    assertThat(settled("/large", "gone").body()).contains("processed before");
    assertThat(runs.of("/large")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/endless", "/endless-emitter"})
  void a_client_that_disconnects_while_the_work_is_done_releases_the_key(String path) {
    http.disconnectFrom(path, "gone");
    assertThat(settled(path, "gone").statusCode()).isEqualTo(200);
    assertThat(runs.of(path)).isEqualTo(2);
    assertThat(settled(path, "gone").statusCode()).isEqualTo(409);
  }

  @Test
  void a_method_that_handles_no_request_counts_when_it_returns() {
    assertThat(http.post("/ledger", "a").statusCode()).isEqualTo(500);
    assertThat(http.post("/ledger", "a").body()).contains("processed before");
    assertThat(runs.of("ledger")).isEqualTo(1);
    assertThat(http.post("/ledger-fails", "b").statusCode()).isEqualTo(200);
    assertThat(http.post("/ledger-fails", "b").statusCode()).isEqualTo(200);
    assertThat(runs.of("ledger")).isEqualTo(3);
  }

  @Test
  void a_handler_that_is_not_called_by_a_request_counts_when_it_returns() {
    assertThat(direct.direct("a")).startsWith("run ");
    assertThatThrownBy(() -> direct.direct("a")).hasMessageContaining("processed before");
    assertThat(http.post("/direct?id=a", null).statusCode()).isEqualTo(409);
    assertThat(http.post("/direct?id=b", null).body()).startsWith("run ");
    assertThatThrownBy(() -> direct.direct("b")).hasMessageContaining("processed before");
  }

  @Test
  void a_handler_that_is_retried_within_its_request_keeps_its_key() {
    assertThat(http.post("/retried", "a").body()).isEqualTo("run 3");
    assertThat(http.post("/retried", "a").body()).contains("processed before");
  }
}
