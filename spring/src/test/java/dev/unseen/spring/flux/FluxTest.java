package dev.unseen.spring.flux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.spring.HttpCalls;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Requests to a reactive application, on Spring WebFlux. */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.main.web-application-type=reactive",
      "unseen.memory=64KB",
      "unseen.idempotency.duplicate-status=200"
    })
class FluxTest {
  @Test
  void a_mono_runs_once_and_the_status_of_duplicates_can_be_set(@LocalServerPort int port) {
    HttpCalls http = new HttpCalls(port);
    assertThat(http.post("/payments", "a").statusCode()).isEqualTo(500);
    assertThat(http.post("/payments", "a").body()).isEqualTo("run 2");
    assertThat(http.post("/payments", "a").statusCode()).isEqualTo(200);
    assertThat(http.post("/payments", "a").body()).isEmpty();
    assertThat(http.post("/payments", null).statusCode()).isEqualTo(400);
    assertThat(http.post("/payments", "b").body()).isEqualTo("run 3");
  }
}
