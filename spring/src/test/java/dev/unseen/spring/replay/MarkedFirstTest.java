package dev.unseen.spring.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.WatchedStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A client has its whole response only when its key is marked, so that a kill loses no mark. */
@Timeout(300)
class MarkedFirstTest {
  static class Watching {
    @Bean
    ReservationStore reservations(Deduplicator<String> keys) {
      return new WatchedStore(keys);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "servlet, none",
    "servlet, caffeine",
    "netty, none",
    "netty, caffeine",
    "tomcat, none"
  })
  void no_client_has_its_whole_response_before_the_mark(String server, String store) {
    try (ConfigurableApplicationContext application =
        SharedApplications.start(
            server,
            "spring.main.sources=" + Watching.class.getName(),
            "unseen.idempotency.replay.store=" + store,
            "unseen.idempotency.replay.max-body=9999B")) {
      WatchedStore keys = (WatchedStore) application.getBean("reservations");
      HttpCalls http =
          new HttpCalls(
              Integer.parseInt(application.getEnvironment().getProperty("local.server.port")));
      List<String> early = new ArrayList<>();
      for (String path :
          List.of(
              "/annotated/a",
              "/annotated/declared",
              "/filtered/a",
              "/filtered/declared",
              "/filtered/text",
              "/filtered/stream",
              "/filtered/none",
              "/filtered/large",
              "/filtered/events")) {
        List<Boolean> answered = keys.answeredBeforeMark(http, path, path);
        assertThat(answered).as(path).hasSize(1);
        if (answered.get(0)) {
          early.add(path);
        }
      }
      assertThat(early).isEmpty();
    }
  }
}
