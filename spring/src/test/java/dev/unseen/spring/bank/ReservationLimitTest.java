package dev.unseen.spring.bank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Deduplicator;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.ReservationLimitAlarm;
import dev.unseen.spring.Reserved;
import dev.unseen.spring.bank.BankApplication.Ledger;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.event.EventListener;

/** Requests that come while too many keys are reserved. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "unseen.memory=64KB",
      "unseen.max-reservations=100",
      "unseen.deduplicators.small.memory=64KB",
      "unseen.idempotency.filter.enabled=true",
      "unseen.idempotency.filter.url-patterns=/filtered/*",
      "management.endpoints.web.exposure.include=health,prometheus,unseen",
      "management.endpoint.health.show-details=always"
    })
@ExtendWith(OutputCaptureExtension.class)
@Timeout(180)
class ReservationLimitTest {
  @TestConfiguration(proxyBeanMethods = false)
  static class Alarms {
    final List<ReservationLimitAlarm> heard = new CopyOnWriteArrayList<>();

    @EventListener
    void on(ReservationLimitAlarm alarm) {
      heard.add(alarm);
    }
  }

  @Autowired Alarms alarms;
  @Autowired Ledger bank;
  @Autowired Deduplicator<String> keys;

  @Test
  void they_are_rejected_with_a_503_counted_and_reported_once(
      @LocalServerPort int port, CapturedOutput output) {
    HttpCalls http = new HttpCalls(port);
    assertThat(http.get("/actuator/health/unseen").body()).doesNotContain("DEGRADED");
    try (Reserved others = Reserved.all(keys)) {
      assertThat(others).isNotNull();
      for (String path : List.of("/optional", "/mono", "/filtered/limited")) {
        HttpResponse<String> rejected = http.post(path, "a");
        assertThat(rejected.statusCode()).isEqualTo(503);
        assertThat(rejected.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(rejected.headers().firstValue("Content-Type"))
            .hasValue("application/problem+json");
        assertThat(rejected.body())
            .contains("Too many requests in flight", "try again later")
            .doesNotContain("reservations");
      }
    }
    assertThat(bank.runsOf("limited")).isZero();
    assertThat(alarms.heard).hasSize(1);
    assertThat(alarms.heard.get(0).name()).isEqualTo("default");
    assertThat(alarms.heard.get(0).message())
        .contains("the limit of 100 reserved keys is reached", "raise unseen.max-reservations");
    assertThat(output)
        .containsOnlyOnce("Deduplicator 'default': the limit of 100 reserved keys is reached");
    assertThat(http.get("/actuator/prometheus").body())
        .contains("unseen_rejected_reservations_total{name=\"default\"} 3.0")
        .contains("unseen_rejected_reservations_total{name=\"small\"} 0.0");
    assertThat(http.get("/actuator/unseen/default").body())
        .contains("\"rejectedReservations\":3", "raise unseen.max-reservations");
    assertThat(http.get("/actuator/health/unseen").body())
        .contains("\"status\":\"DEGRADED\"", "raise unseen.max-reservations");

    for (String path : List.of("/optional", "/mono", "/filtered/limited")) {
      assertThat(http.post(path, "a").statusCode()).isEqualTo(200);
    }
  }
}
