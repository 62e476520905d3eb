package dev.unseen.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
  private long millis = 1_000_000;
  private final LoginThrottle throttle =
      new LoginThrottle(() -> TimeUnit.MILLISECONDS.toNanos(millis));

  @Test
  void an_address_that_guesses_is_checked_once_per_second() {
    for (int i = 0; i < 5; i++) {
      assertThat(throttle.delay("a")).isZero();
      throttle.failed("a");
    }
    int checked = 0;
    for (int tries = 0; tries < 100_000; tries++) { // in ten seconds, on any number of connections
      if (throttle.delay("a") >= 0) {
        checked++;
      }
      millis += tries % 10 == 0 ? 1 : 0;
    }
    assertThat(checked).isBetween(10, 20);
    assertThat(throttle.delay("b")).isZero();
    assertThat(throttle.failures()).isEqualTo(5);
  }

  @Test
  void a_minute_without_a_wrong_password_ends_the_delay() {
    for (int i = 0; i < 6; i++) {
      throttle.failed("a");
    }
    assertThat(throttle.delay("a")).isEqualTo(1000);
    assertThat(throttle.delay("a")).isEqualTo(2000);
    millis += 60_001;
    assertThat(throttle.delay("a")).isZero();
  }

  @Test
  void rare_mistakes_are_not_delayed() {
    for (int i = 0; i < 100; i++) {
      assertThat(throttle.delay("a")).isZero();
      throttle.failed("a");
      millis += 60_001;
    }
  }
}
