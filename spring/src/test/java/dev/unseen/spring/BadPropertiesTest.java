package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What the application prints when a property is refused: the value, the limit, the way out. */
@ExtendWith(OutputCaptureExtension.class)
class BadPropertiesTest {
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({UnseenAutoConfiguration.class, UnseenActuatorAutoConfiguration.class})
  static class Application {}

  static Stream<Arguments> refused() {
    return Stream.of(
        refused("unseen.memory=100B", "'100B'", "unseen.memory", "at least 8,192 bytes"),
        refused("unseen.memory=100TB", "unseen.memory", "must be at most"),
        refused("unseen.memory=900GB", "less than the heap of this process", "raise -Xmx"),
        refused("unseen.memory=much", "'much'", "unseen.memory"),
        refused(
            "unseen.max-false-positive-rate=2",
            "'2'",
            "unseen.max-false-positive-rate",
            "must be above 0 and below 1"),
        refused(
            "unseen.deduplicators.orders.max-false-positive-rate=0.5",
            "unseen.deduplicators.orders.max-false-positive-rate",
            "0.01"),
        refused("unseen.window=1ms", "'1ms'", "unseen.window", "must be 8 to"),
        refused("unseen.kind=blum", "unseen.kind", "blum", "RECENCY"),
        refused("unseen.audit=often", "'often'", "1/1024"),
        refused("unseen.expected-keys=0", "unseen.expected-keys", "must be at least 1"),
        refused("unseen.reservation-timeout=0s", "unseen.reservation-timeout", "at least 1 ms"),
        refused("unseen.max-reservations=0", "unseen.max-reservations", "must be at least 1"),
        refused("unseen.state.save-every=1ms", "unseen.state.save-every", "at least 100ms"),
        refused("unseen.deduplicators.default.memory=1MB", "right below unseen"),
        refused(
            "unseen.secret=not-that-secret",
            "unseen.secret is refused: a secret must be 32 hexadecimal digits",
            "openssl rand -hex 16"));
  }

  private static Arguments refused(String property, String... texts) {
    return Arguments.of(property, List.of(texts));
  }

  @ParameterizedTest
  @MethodSource
  void refused(String property, List<String> texts, CapturedOutput output) {
    assertThatThrownBy(
            () ->
                new SpringApplication(Application.class)
                    .run(
                        "--spring.main.web-application-type=none",
                        "--spring.main.register-shutdown-hook=false",
                        "--spring.main.banner-mode=off",
                        "--" + property))
        .isInstanceOf(Exception.class);
    String told = output.toString();
    assertThat(told).contains("APPLICATION FAILED TO START");
    assertThat(told.substring(told.indexOf("APPLICATION FAILED")))
        .contains(texts)
        .doesNotContain("\tat ")
        .doesNotContain("not-that-secret");
  }
}
