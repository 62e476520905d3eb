package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Reservation.Outcome;
import dev.unseen.Reservation.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunOnceTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Deduplicator<String> orders =
      Deduplicator.builder(Keys.utf8())
          .expectedKeys(10_000)
          .concurrent()
          .reservationTimeout(Duration.ofSeconds(10))
          .ticker(nanos::get)
          .build();

  @Test
  void work_is_done_once() {
    assertThat(orders.runOnce("a", () -> 1)).isEqualTo(new Outcome<>(Status.GRANTED, 1, false));
    Outcome<Integer> second = orders.runOnce("a", () -> 2);
    assertThat(second).isEqualTo(new Outcome<>(Status.DUPLICATE, null, false));
    assertThat(second.ran()).isFalse();
    assertThat(orders.report().admitted()).isEqualTo(1);
    assertThat(orders.report().records()).isEqualTo(2);
  }

  @Test
  void work_may_have_no_result() {
    assertThat(orders.runOnce("a", () -> null).ran()).isTrue();
  }

  @Test
  void work_that_fails_is_done_again() {
    assertThatThrownBy(
            () ->
                orders.runOnce(
                    "a",
                    () -> {
                      throw new IOException("no");
                    }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no");
    assertThatThrownBy(
            () ->
                orders.runOnce(
                    "a",
                    () -> {
                      throw new StackOverflowError();
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThat(orders.report().inFlight()).isZero();
    assertThat(orders.runOnce("a", () -> 1).ran()).isTrue();
  }

  @Test
  void work_that_another_caller_does_is_not_done() {
    Outcome<Outcome<Integer>> outer = orders.runOnce("a", () -> orders.runOnce("a", () -> 1));
    assertThat(outer.value().status()).isEqualTo(Status.IN_FLIGHT);
  }

  @Test
  void work_that_takes_longer_than_its_reservation_may_be_overtaken() {
    Outcome<Outcome<Integer>> outer =
        orders.runOnce(
            "a",
            () -> {
              nanos.addAndGet(Duration.ofSeconds(11).toNanos());
              return orders.runOnce("a", () -> 1);
            });
    assertThat(outer.value().overtaken()).isFalse();
    assertThat(outer.ran()).isTrue();
    assertThat(outer.overtaken()).isTrue();
  }
}
