package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When an alarm starts and ends. */
class RejectedReservationsTest {
  @Test
  void an_alarm_starts_with_the_first_rejection_and_ends_after_a_minute_without_any() {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // a time may wrap
    RejectedReservations rejected =
        new RejectedReservations(ReservationLimitAlarm.ofOwn("a"), now::get);
    assertThat(rejected.isRecent()).isFalse();
    assertThat(rejected.add()).isTrue();
    assertThat(rejected.isRecent()).isTrue();
    now.addAndGet(RejectedReservations.QUIET.toNanos() - 1);
    assertThat(rejected.add()).isFalse();
    now.addAndGet(RejectedReservations.QUIET.toNanos() - 1);
    assertThat(rejected.isRecent()).isTrue();
    now.addAndGet(1);
    assertThat(rejected.isRecent()).isFalse();
    assertThat(rejected.add()).isTrue();
    assertThat(rejected.count()).isEqualTo(3);
  }
}
