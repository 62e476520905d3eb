package dev.unseen.spring.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.spring.HttpCalls;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.replay.ReplayApplication.Runs;
import dev.unseen.testing.UnseenProcess;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Keys in a real server, which is killed and comes back. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class RemoteTest {
  private static final String DOWN = "the server that holds the keys is down";

  @TempDir Path directory;

  private static ConfigurableApplicationContext start(String webServer, int port) {
    return SharedApplications.start(
        webServer,
        "unseen.remote.uri=redis://localhost:" + port,
        "unseen.remote.key=orders",
        "unseen.remote.timeout=5s",
        "unseen.expected-keys=10000",
        "unseen.window=1h",
        "management.endpoint.health.show-details=always",
        "logging.level.dev.unseen=info");
  }

  private static HttpCalls connect(ConfigurableApplicationContext application) {
    return new HttpCalls(
        Integer.parseInt(application.getEnvironment().getProperty("local.server.port")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "netty"})
  void requests_get_a_503_while_the_server_is_down(String webServer, CapturedOutput output)
      throws Exception {
    UnseenProcess server = new UnseenProcess(directory);
    int port = server.port();
    try (server;
        ConfigurableApplicationContext application = start(webServer, port)) {
      assertThat(application.getBeansOfType(Deduplicator.class)).isEmpty();
      assertThat(application.getBean(ReservationStore.class).wasSeen("a")).isFalse();
      HttpCalls http = connect(application);
      for (String door : new String[] {"/filtered/", "/annotated/"}) {
        assertThat(http.post(door + "a", "a").statusCode()).isEqualTo(201);
        assertThat(http.post(door + "a", "a").statusCode()).isEqualTo(409);
      }
      assertThat(http.get("/actuator/health/unseen").statusCode()).isEqualTo(200);
      server.kill();
      for (String door : new String[] {"/filtered/", "/annotated/"}) {
        assertThat(SecondRequestTest.describe(http.post(door + "b", "b")))
            .isEqualTo(SecondRequestTest.table().get(DOWN).get(0))
            .isEqualTo(SecondRequestTest.table().get(DOWN).get(1));
      }
      assertThat(http.get("/actuator/health/unseen").statusCode()).isEqualTo(503);
      assertThat(output)
          .containsOnlyOnce("The server of the deduplicator 'default' cannot be used: requests");

      try (UnseenProcess again = new UnseenProcess(directory, "--port", Integer.toString(port))) {
        assertThat(again.port()).isEqualTo(port);
        assertThat(http.get("/actuator/health/unseen").statusCode()).isEqualTo(200);
        for (String door : new String[] {"/filtered/", "/annotated/"}) {
          assertThat(http.post(door + "a", "a").statusCode()).isEqualTo(409);
          assertThat(http.post(door + "b", "b").statusCode()).isEqualTo(201);
          assertThat(application.getBean(Runs.class).of(door + "a")).isEqualTo(1);
        }
        assertThat(output).containsOnlyOnce("'default' can be reached again");
      }
    }
  }

  /** An application that has nothing but keys. */
  @ImportAutoConfiguration(UnseenAutoConfiguration.class)
  static class Keys {}

  private static void startKeys(String... properties) {
    new SpringApplicationBuilder(Keys.class)
        .web(WebApplicationType.NONE)
        .run(Stream.of(properties).map(property -> "--" + property).toArray(String[]::new))
        .close();
  }

  @Test
  void what_cannot_work_is_rejected_on_startup(CapturedOutput output) throws Exception {
    try (UnseenProcess server = new UnseenProcess(directory)) {
      String uri = "unseen.remote.uri=redis://localhost:" + server.port();
      String key = "unseen.remote.key=orders";
      assertThatThrownBy(() -> startKeys(uri, key)).hasStackTraceContaining("not found");
      assertThat(output)
          .contains("The server of the deduplicator 'default' cannot be used")
          .contains("set unseen.expected-keys and unseen.window to create it");
      assertThatThrownBy(() -> startKeys(uri, key, "unseen.memory=1MB"))
          .hasStackTraceContaining("it is for keys in this process, but unseen.remote.uri is set");
      assertThatThrownBy(() -> startKeys(uri, "unseen.remote.key="))
          .hasStackTraceContaining("name the filter on the server, such as orders");
      assertThatThrownBy(() -> startKeys("unseen.remote.uri=http://localhost", key))
          .hasStackTraceContaining("uri must begin with redis:// or rediss://");
    }
  }
}
