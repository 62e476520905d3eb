package dev.unseen.spring.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.idempotent.ResponseStore;
import dev.unseen.spring.replay.ReplayApplication.Runs;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Responses of all kinds, kept or not. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class ReplayedResponsesTest {
  /** A store whose database is down. */
  static class Down {
    @Bean
    ResponseStore broken() {
      return new ResponseStore() {
        @Override
        public Optional<byte[]> find(String key) {
          throw new IllegalStateException("the database is down");
        }

        @Override
        public void save(String key, byte[] response) {
          throw new IllegalStateException("the database is down");
        }
      };
    }
  }

  private static HttpCalls connect(ConfigurableApplicationContext application) {
    return new HttpCalls(
        Integer.parseInt(application.getEnvironment().getProperty("local.server.port")));
  }

  private static HttpResponse<String> settled(HttpCalls http, String path, String body) {
    String type = "application/x-www-form-urlencoded";
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> body == null ? http.post(path, "a") : http.post(path, "a", type, body),
            reply -> !reply.body().contains("being processed"));
  }

  @ParameterizedTest
  @CsvSource({"servlet, caffeine", "netty, jdbc", "tomcat, caffeine"})
  void are_repeated_unless_they_are_too_large_or_events(String server, String store) {
    ConfigurableApplicationContext application = SharedApplications.with(server, store);
    HttpCalls http = connect(application);
    Runs runs = application.getBean(Runs.class);
    for (String path : new String[] {"/filtered/stream", "/filtered/none"}) {
      HttpResponse<String> first = http.post(path, "a");
      HttpResponse<String> second = settled(http, path, null);
      assertThat(second.statusCode()).isEqualTo(200);
      assertThat(second.body()).isEqualTo(first.body());
      assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    }
    assertThat(runs.of("stream")).isEqualTo(1);
    assertThat(http.post("/filtered/large", "a").body()).hasSize(10_000);
    assertThat(settled(http, "/filtered/large", null).statusCode()).isEqualTo(409);
    assertThat(http.post("/filtered/events", "a").body()).isEqualTo("data:a\n\ndata:b\n\n");
    assertThat(settled(http, "/filtered/events", null).body())
        .satisfiesAnyOf(
            body -> assertThat(body).contains("processed before"),
            body -> assertThat(body).isEqualTo("data:a\n\ndata:b\n\n"));
    assertThat(runs.of("events")).isEqualTo(1);
  }

  @Test
  void of_forms_are_repeated_to_the_same_form_only() {
    ConfigurableApplicationContext application = SharedApplications.with("servlet", "caffeine");
    HttpCalls http = connect(application);
    assertThat(settled(http, "/filtered/form", "a=1&b=2").statusCode()).isEqualTo(201);
    assertThat(settled(http, "/filtered/form", "a=1&b=2").statusCode()).isEqualTo(201);
    assertThat(settled(http, "/filtered/form", "a=1&b=3").statusCode()).isEqualTo(422);
    assertThat(application.getBean(Runs.class).of("/filtered/form")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "netty", "tomcat"})
  void are_not_repeated_while_the_store_is_down(String server, CapturedOutput output) {
    try (ConfigurableApplicationContext application =
        SharedApplications.start(server, "spring.main.sources=" + Down.class.getName())) {
      HttpCalls http = connect(application);
      assertThat(http.post("/filtered/down", "a").statusCode()).isEqualTo(201);
      assertThat(settled(http, "/filtered/down", null).statusCode()).isEqualTo(409);
      assertThat(output)
          .contains("A response cannot be saved; duplicates of its request will get a 409")
          .contains("cannot be read");
    }
  }
}
