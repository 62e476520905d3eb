package dev.unseen.spring.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.bank.BankApplication.Ledger;
import dev.unseen.spring.bank.BankApplication.Transfer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Requests to a real application. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "unseen.memory=1MB",
      "unseen.window=1h",
      "unseen.deduplicators.small.memory=64KB",
      "unseen.deduplicators.transfers.memory=64KB",
      "unseen.idempotency.filter.enabled=true",
      "unseen.idempotency.filter.url-patterns=/filtered/*",
      "unseen.idempotency.filter.required=true",
      "management.endpoints.web.exposure.include=health,prometheus,unseen",
      "management.prometheus.metrics.export.enabled=true", // which 3.5 leaves out in tests
      "management.endpoint.health.show-details=always"
    })
@Timeout(180)
@DirtiesContext // so that it ends before its directory does
class BankTest {
  @TempDir static Path directory;

  @DynamicPropertySource
  static void state(DynamicPropertyRegistry properties) {
    properties.add("unseen.state.file", () -> directory.resolve("bank.uns").toString());
  }

  @Autowired Ledger bank;
  @Autowired Deduplicator<Transfer> transfers;
  HttpCalls http;

  @BeforeEach
  void connect(@LocalServerPort int port) {
    http = new HttpCalls(port);
  }

  @Test
  void a_duplicate_is_told_so_while_the_first_runs_and_afterwards() throws Exception {
    bank.entered = new CountDownLatch(1);
    bank.leave = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> first = http.postLater("/slow", "a");
    bank.entered.await();

    HttpResponse<String> meanwhile = http.post("/slow", "a");
    assertThat(meanwhile.statusCode()).isEqualTo(409);
    assertThat(meanwhile.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(meanwhile.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(meanwhile.body()).contains("being processed", "Request in flight");

    bank.leave.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    HttpResponse<String> later = http.post("/slow", "a");
    assertThat(later.statusCode()).isEqualTo(409);
    assertThat(later.headers().firstValue("Retry-After")).isEmpty();
    assertThat(later.body()).contains("processed before", "Request already processed");
    assertThat(bank.runsOf("slow")).isEqualTo(1);
    assertThat(http.post("/slow", "another key").body()).isEqualTo("done");
  }

  @Test
  void of_many_requests_at_once_one_runs() {
    List<CompletableFuture<HttpResponse<String>>> calls =
        IntStream.range(0, 20).mapToObj(i -> http.postLater("/optional", "many")).toList();
    assertThat(calls.stream().map(call -> call.join().statusCode()))
        .containsOnly(200, 409)
        .containsOnlyOnce(200);
  }

  @Test
  void a_failure_releases_the_key() {
    assertThat(http.post("/failing", "f").statusCode()).isEqualTo(500);
    assertThat(http.post("/failing", "f").body()).isEqualTo("done");
    assertThat(http.post("/failing", "f").statusCode()).isEqualTo(409);
    assertThat(bank.runsOf("failing")).isEqualTo(2);
  }

  @Test
  void a_response_with_an_error_releases_the_key() {
    assertThat(http.post("/rejecting", "r").statusCode()).isEqualTo(422);
    assertThat(http.post("/rejecting", "r").body()).isEqualTo("done");
    assertThat(http.post("/rejecting", "r").statusCode()).isEqualTo(409);
  }

  @Test
  void a_future_counts_when_it_completes() throws Exception {
    bank.entered = new CountDownLatch(1);
    bank.later = new CompletableFuture<>();
    CompletableFuture<HttpResponse<String>> first = http.postLater("/later", "l");
    bank.entered.await();
    assertThat(http.post("/later", "l").body()).contains("being processed");
    bank.later.completeExceptionally(new IllegalStateException("it fails"));
    assertThat(first.get().statusCode()).isEqualTo(500);

    bank.later = CompletableFuture.completedFuture("done");
    assertThat(http.post("/later", "l").body()).isEqualTo("done");
    assertThat(http.post("/later", "l").body()).contains("processed before");
    assertThat(bank.runsOf("later")).isEqualTo(2);
  }

  @Test
  void a_mono_runs_once() {
    assertThat(http.post("/mono", "m").body()).isEqualTo("run 1");
    assertThat(http.post("/mono", "m").statusCode()).isEqualTo(409);
    assertThat(http.post("/mono", "n").body()).isEqualTo("run 2");
  }

  @Test
  void a_key_can_be_made_of_parameters() {
    assertThat(http.post("/parameter?account=x&amount=1", null).body()).isEqualTo("run 1");
    assertThat(http.post("/parameter?account=x&amount=1", null).statusCode()).isEqualTo(409);
    assertThat(http.post("/parameter?account=x&amount=2", null).body()).isEqualTo("run 2");
  }

  @Test
  void a_key_of_a_header_counts_for_one_user() {
    for (String path : List.of("/optional", "/filtered/of-users")) {
      assertThat(http.post(path, "u", "Ann").statusCode()).isEqualTo(200);
      assertThat(http.post(path, "u", "Bob").statusCode()).isEqualTo(200);
      assertThat(http.post(path, "u", "Ann").statusCode()).isEqualTo(409);
    }
  }

  @Test
  void a_missing_key_is_rejected_unless_it_is_optional() {
    HttpResponse<String> missing = http.post("/slow", null);
    assertThat(missing.statusCode()).isEqualTo(400);
    assertThat(missing.body()).contains("The header Idempotency-Key is missing");
    assertThat(http.post("/slow", " ").statusCode()).isEqualTo(400);
    assertThat(http.post("/optional", null).statusCode()).isEqualTo(200);
    assertThat(http.post("/optional", null).statusCode()).isEqualTo(200);
  }

  @Test
  void a_request_with_two_keys_is_rejected() {
    for (String path : List.of("/optional", "/filtered/twice")) {
      HttpResponse<String> refused = http.postTwice(path, "first", "second");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains(
              "Malformed key", "The request has the header Idempotency-Key 2 times; send it once");
      assertThat(http.post(path, "first").statusCode()).isEqualTo(200);
    }
    assertThat(bank.runsOf("twice")).isEqualTo(1);
  }

  @Test
  void the_filter_lets_a_request_through_once() {
    assertThat(http.post("/filtered/plain", "p").body()).isEqualTo("run 1");
    HttpResponse<String> again = again("/filtered/plain", "p");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(http.post("/filtered/other", "p").body()).isEqualTo("run 1");
    assertThat(http.post("/filtered/plain", null).statusCode()).isEqualTo(400);
    assertThat(bank.runsOf("plain")).isEqualTo(1);
  }

  @Test
  void the_filter_releases_the_keys_of_failures() {
    for (String path : List.of("/filtered/fails", "/filtered/throws")) {
      assertThat(http.post(path, "f").statusCode()).isGreaterThanOrEqualTo(400);
      await().atMost(Duration.ofMinutes(1)).until(() -> http.post(path, "f").statusCode() == 200);
      assertThat(again(path, "f").statusCode()).isEqualTo(409);
    }
    assertThat(bank.runsOf("fails")).isEqualTo(2);
    assertThat(bank.runsOf("throws")).isEqualTo(2);
  }

  @Test
  void the_filter_knows_requests_that_go_on_after_their_thread() {
    assertThat(http.post("/filtered/callable", "c").body()).isEqualTo("run 1");
    assertThat(again("/filtered/callable", "c").statusCode()).isEqualTo(409);
    assertThat(bank.runsOf("callable")).isEqualTo(1);
  }

  @Test
  void the_filter_waits_for_the_response_to_a_request_that_has_timed_out() {
    assertThat(http.post("/filtered/timeout", "t").body()).isEqualTo("what was known in time");
    assertThat(again("/filtered/timeout", "t").statusCode()).isEqualTo(409);
    assertThat(bank.runsOf("timeout")).isEqualTo(1);
  }

  @Test
  void the_filter_counts_a_response_that_a_client_has_not_read() {
    http.disconnectFrom("/filtered/large", "l");
    assertThat(again("/filtered/large", "l").statusCode()).isEqualTo(409);
    assertThat(bank.runsOf("large")).isEqualTo(1);
  }

  @Test
  void a_key_with_quotes_is_the_key_without_them() {
    for (String path : List.of("/optional", "/filtered/quoted")) {
      assertThat(http.post(path, "q1").statusCode()).isEqualTo(200);
      assertThat(again(path, "\"q1\"").statusCode()).isEqualTo(409);
      HttpResponse<String> malformed = http.post(path, "\"q1");
      assertThat(malformed.statusCode()).isEqualTo(400);
      assertThat(malformed.body()).contains("Malformed key", "the closing quote is missing");
    }
    assertThat(bank.runsOf("quoted")).isEqualTo(1);
  }

  @Test
  void the_filter_takes_other_spellings_for_the_same_path() {
    assertThat(http.post("/filtered/spelt", "s").statusCode()).isEqualTo(200);
    for (String path : List.of("/filtered/%73pelt", "/filtered/spelt;x=1", "/%66iltered/spelt")) {
      assertThat(again(path, "s").statusCode()).isEqualTo(409);
    }
    assertThat(bank.runsOf("spelt")).isEqualTo(1);
  }

  /** Asks until the request before has ended, which a client may know before the server does. */
  private HttpResponse<String> again(String path, String key) {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> http.post(path, key), reply -> reply.body().contains("processed before"));
  }

  @Test
  void the_measures_are_in_prometheus_by_name() {
    assertThat(transfers.admit(new Transfer(1))).isTrue();
    assertThat(transfers.admit(new Transfer(1))).isFalse();
    String metrics = http.get("/actuator/prometheus").body();
    assertThat(metrics)
        .contains("unseen_duplicates_total{name=\"transfers\"} 1.0")
        .contains("unseen_load{name=\"default\"}")
        .contains("unseen_load{name=\"small\"}")
        .contains("unseen_save_seconds_count{name=\"default\"}")
        .contains("unseen_save_failures_total{name=\"default\"} 0.0")
        .contains("unseen_last_save_timestamp_seconds{name=\"default\"} 1.");
  }

  @Test
  @Tag("boot-4")
  void the_health_is_shown_by_name() {
    HttpResponse<String> health = http.get("/actuator/health/unseen");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body())
        .contains("\"default\":{", "\"small\":{", "\"transfers\":{")
        .contains("\"lastSave\":\"20", "bank.uns", "\"status\":\"UP\"")
        .contains("\"records\":");
    assertThat(http.get("/actuator/health/unseen/nobody").statusCode()).isEqualTo(404);
  }

  @Test
  void the_endpoint_shows_the_report() {
    assertThat(http.get("/actuator/unseen").body())
        .startsWith("{\"deduplicators\":{")
        .contains("\"small\":{\"filter\":\"recency (drops at most 1 in 10,000)");
    assertThat(http.get("/actuator/unseen/small").body())
        .contains("\"memoryBytes\":65536", "\"alarms\":[]", "\"estimatedFpr\":");
    assertThat(http.get("/actuator/unseen/nobody").statusCode()).isEqualTo(404);
  }
}
