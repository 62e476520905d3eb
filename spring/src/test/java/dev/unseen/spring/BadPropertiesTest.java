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

/** What the application prints when a property is rejected: the value, the limit, the way out. */
@ExtendWith(OutputCaptureExtension.class)
class BadPropertiesTest {
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    UnseenAutoConfiguration.class,
    UnseenActuatorAutoConfiguration.class,
    IdempotencyAutoConfiguration.class
  })
  static class Application {}

  static Stream<Arguments> rejected() {
    return Stream.of(
        rejected("unseen.memory=100B", "'100B'", "unseen.memory", "at least 8,192 bytes"),
        rejected("unseen.memory=1B", "'1B'", "It must be 64 bytes to 16 TiB"),
        rejected("unseen.memory=0B", "'0B'", "It must be 64 bytes to 16 TiB"),
        rejected("unseen.memory=100TB", "unseen.memory", "must be 64 bytes to 16 TiB"),
        rejected(
            "unseen.memory=900GB",
            "less than the heap of this process",
            "a larger heap (java -Xmx)"),
        rejected("unseen.memory=much", "'much'", "unseen.memory"),
        rejected(
            "unseen.max-false-positive-rate=2",
            "'2'",
            "unseen.max-false-positive-rate",
            "It must be above 0 and below 1"),
        rejected(
            "unseen.max-false-positive-rate=0.5",
            "unseen.max-false-positive-rate",
            "It must be 1e-9 to 0.01 for recency"),
        rejected(
            "unseen.deduplicators.orders.max-false-positive-rate=0.5",
            "unseen.deduplicators.orders.max-false-positive-rate",
            "0.01"),
        rejected(
            "unseen.deduplicators.plain.max-false-positive-rate=2",
            "unseen.deduplicators.plain.max-false-positive-rate",
            "It must be above 0 and below 1"),
        rejected("unseen.window=1ms", "'1ms'", "unseen.window", "It must be 8 to "),
        rejected(
            "unseen.window=-5s",
            "'-5s'",
            "unseen.window",
            "It must be 8 to ",
            "leave unseen.window out"),
        rejected("unseen.kind=blum", "unseen.kind", "blum", "RECENCY"),
        rejected("unseen.audit=often", "'often'", "1/1024"),
        rejected("unseen.expected-keys=0", "unseen.expected-keys", "It must be at least 1"),
        rejected("unseen.reservation-timeout=0s", "'0s'", "It must be at least 1 ms"),
        rejected("unseen.max-reservations=0", "unseen.max-reservations", "It must be at least 1"),
        rejected("unseen.state.save-every=1ms", "unseen.state.save-every", "at least 100ms"),
        rejected("unseen.state.file=a\0b", "unseen.state.file", "it must be the name of a file"),
        rejected("unseen.idempotency.header=", "unseen.idempotency.header", "name of a header"),
        rejected("unseen.idempotency.header=My Key", "'My Key'", "such as Idempotency-Key"),
        rejected("unseen.deduplicators.default.memory=1MB", "right below unseen"),
        rejected(
            "unseen.secret=not-that-secret",
            "unseen.secret is rejected: it must be 32 hexadecimal digits",
            "openssl rand -hex 16"));
  }

  private static Arguments rejected(String property, String... texts) {
    return Arguments.of(property, List.of(texts));
  }

  @ParameterizedTest
  @MethodSource
  void rejected(String property, List<String> texts, CapturedOutput output) {
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
    String printed = output.toString();
    assertThat(printed).contains("APPLICATION FAILED TO START");
    assertThat(printed.substring(printed.indexOf("APPLICATION FAILED")))
        .contains(texts)
        .doesNotContain("\tat ")
        .doesNotContain("maxF", "reservationTimeout", "maxReservations", "expectedKeys", "Window.")
        .doesNotContain("not-that-secret");
  }
}
