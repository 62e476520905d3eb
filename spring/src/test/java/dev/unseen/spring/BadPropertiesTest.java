package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.spring.idempotent.IdempotencyAutoConfiguration;
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
  @ImportAutoConfiguration({
    UnseenAutoConfiguration.class,
    UnseenActuatorAutoConfiguration.class,
    IdempotencyAutoConfiguration.class
  })
  static class Application {}

  static Stream<Arguments> refused() {
    return Stream.of(
        refused("unseen.memory=100B", "'100B'", "unseen.memory", "at least 8,192 bytes"),
        refused("unseen.memory=1B", "'1B'", "It must be 64 bytes to 16 TiB"),
        refused("unseen.memory=0B", "'0B'", "It must be 64 bytes to 16 TiB"),
        refused("unseen.memory=100TB", "unseen.memory", "must be 64 bytes to 16 TiB"),
        refused(
            "unseen.memory=900GB",
            "less than the heap of this process",
            "a larger heap (java -Xmx)"),
        refused("unseen.memory=much", "'much'", "unseen.memory"),
        refused(
            "unseen.max-false-positive-rate=2",
            "'2'",
            "unseen.max-false-positive-rate",
            "It must be above 0 and below 1"),
        refused(
            "unseen.max-false-positive-rate=0.5",
            "unseen.max-false-positive-rate",
            "It must be 1e-9 to 0.01 for recency"),
        refused(
            "unseen.deduplicators.orders.max-false-positive-rate=0.5",
            "unseen.deduplicators.orders.max-false-positive-rate",
            "0.01"),
        refused(
            "unseen.deduplicators.plain.max-false-positive-rate=2",
            "unseen.deduplicators.plain.max-false-positive-rate",
            "It must be above 0 and below 1"),
        refused("unseen.window=1ms", "'1ms'", "unseen.window", "It must be 8 to "),
        refused(
            "unseen.window=-5s",
            "'-5s'",
            "unseen.window",
            "It must be 8 to ",
            "leave unseen.window out"),
        refused("unseen.kind=blum", "unseen.kind", "blum", "RECENCY"),
        refused("unseen.audit=often", "'often'", "1/1024"),
        refused("unseen.expected-keys=0", "unseen.expected-keys", "It must be at least 1"),
        refused("unseen.reservation-timeout=0s", "'0s'", "It must be at least 1 ms"),
        refused("unseen.max-reservations=0", "unseen.max-reservations", "It must be at least 1"),
        refused("unseen.state.save-every=1ms", "unseen.state.save-every", "at least 100ms"),
        refused("unseen.state.file=a\0b", "unseen.state.file", "it must be the name of a file"),
        refused("unseen.idempotency.header=", "unseen.idempotency.header", "name of a header"),
        refused("unseen.idempotency.header=My Key", "'My Key'", "such as Idempotency-Key"),
        refused("unseen.deduplicators.default.memory=1MB", "right below unseen"),
        refused(
            "unseen.secret=not-that-secret",
            "unseen.secret is rejected: it must be 32 hexadecimal digits",
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
                        "--unseen.deduplicators.plain.kind=bloom",
                        "--" + property))
        .isInstanceOf(Exception.class);
    String told = output.toString();
    assertThat(told).contains("APPLICATION FAILED TO START");
    assertThat(told.substring(told.indexOf("APPLICATION FAILED")))
        .contains(texts)
        .doesNotContain("\tat ")
        .doesNotContain("maxF", "reservationTimeout", "maxReservations", "expectedKeys", "Window.")
        .doesNotContain("not-that-secret");
  }
}
